import { DEMO_PASSWORD, people } from './people.ts'

/**
 * Saves a payment card of a student, with requests to the running service and the simulator's page. When the service
 * refuses a request, no card is saved.
 */
export async function saveDemoCard(apiUrl: string): Promise<void> {
  const send = async <T>(method: string, path: string, token?: string, body?: object): Promise<T | undefined> => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return ((await response.json()) as { data?: T }).data
  }
  const password = { email: people.stella.email, password: DEMO_PASSWORD }
  const session = await send<{ token: string; user: { orgUserId: number } }>('POST', '/auth', undefined, password)
  if (!session) return
  const path = `/orgUsers/${session.user.orgUserId}/paymentMethods/setup`
  const setup = await send<{ url: string }>('POST', path, session.token)
  if (!setup) return
  await fetch(setup.url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ card: 'ok' }) })
}
