import type { FastifyInstance } from 'fastify'
import type { BuiltSchool } from '../demo/school/build-school.ts'
import { DEMO_PASSWORD, type PersonKey, people } from '../demo/school/people.ts'

/** A request of the examples. Its endpoint is named as in the OpenAPI document: `POST /resources/{id}/fuel`. */
export interface ExampleRequest {
  params?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: unknown
}

/** A request as it was sent, and its answer. */
export interface Example extends ExampleRequest {
  status: number
  answer?: unknown
}

/** The `data` of an answer. */
export type Data = Record<string, unknown> & { id: number }

/** Sends the examples to a fresh demo school, one after the other. */
export interface ExampleRun {
  school: BuiltSchool
  /**
   * Sends a request as a person of the school, with a token, or without one. Returns the `data` of the answer; `{ id: 0
   * }` when the request is refused or the answer has no data.
   */
  send(who: PersonKey | { token: string } | null, endpoint: string, request?: ExampleRequest): Promise<Data>
  /** Returns the token of the mailed link that belongs to the newest row of this table. */
  mailedToken(table: 'mail_token' | 'invitation' | 'booking_request' | 'offer'): Promise<string>
}

/** The first successful request per endpoint with its answer, and the refused requests as text. */
export interface Sent {
  examples: Map<string, Example>
  refused: string[]
}

/** Returns a function that sends requests to an app, and the record of the requests and their answers. */
export function createSender(app: FastifyInstance): { send: ExampleRun['send']; sent: Sent } {
  const sent: Sent = { examples: new Map(), refused: [] }
  const tokens = new Map<string, string>()
  const tokenOf = async (who: PersonKey): Promise<string> => {
    const known = tokens.get(who)
    if (known) return known
    const payload = { email: people[who].email, password: DEMO_PASSWORD }
    const { token } = (await app.inject({ method: 'POST', url: '/auth', payload })).json().data
    tokens.set(who, token)
    return token
  }
  return {
    sent,
    async send(who, endpoint, request = {}) {
      const token = typeof who === 'string' ? await tokenOf(who) : who?.token
      const [method, template = ''] = endpoint.split(' ')
      const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => String(request.params?.[name]))
      const query = request.query ? `?${new URLSearchParams(request.query as Record<string, string>)}` : ''
      const response = await app.inject({
        method: method as 'GET',
        url: `${path}${query}`,
        headers: token ? { authorization: `Bearer ${token}` } : {},
        ...(request.body !== undefined && { payload: request.body as object }),
      })
      const { statusCode: status } = response
      const isJson = String(response.headers['content-type']).startsWith('application/json')
      const answer = isJson ? response.json() : undefined
      if (status >= 300) {
        sent.refused.push(`${endpoint} ${path}${query}: ${status} ${response.body.slice(0, 300)}`)
        return { id: 0 }
      }
      if (!sent.examples.has(endpoint)) {
        sent.examples.set(endpoint, { ...request, status, ...(answer !== undefined && { answer }) })
      }
      return answer?.data ?? { id: 0 }
    },
  }
}
