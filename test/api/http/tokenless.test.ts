import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointsOf } from '../../../src/api/http/endpoint.ts'
import { interfaceRoutes } from '../../../src/api/interface-routes.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'

/**
 * Every endpoint of the interface that anyone may call, with what limits it beside the limit of a network (100 in 5 minutes).
 * A new one gets its row here and in docs/security.md.
 */
const limitedBy: Record<string, string[]> = {
  'POST /users': ['signIn'],
  'POST /auth': ['signIn'],
  'POST /auth/forgot-password': ['signIn'],
  'POST /auth/reset-password': ['signIn'],
  'POST /auth/verify-email': [],
  'POST /organizations/invitations/lookup': [],
  'GET /public/organizations/:orgId/offerings': [],
  'GET /public/offerings/:id/openings': ['atOnce'],
  // The database counts it by mailbox, network, school and owner: request-limits.test.ts.
  'POST /public/offerings/:id/requests': ['mailTo'],
  'POST /public/requests/confirm': [],
  'POST /offers/lookup': [],
  'POST /offers/answer': [],
  'GET /integrations/:provider/begin': [],
  'GET /integrations/:provider/callback': [],
  // It counts a calendar by itself, and a wrong address against its network: calendar.test.ts.
  'GET /calendar/:token.ics': ['countsItself'],
}

test('every endpoint without a token is known, with its limits', () => {
  const found = endpointsOf((on) => {
    for (const routes of interfaceRoutes) routes(on)
  })
    .filter(({ declaration }) => declaration.access === 'anyone')
    .map(({ method, url, declaration: { rateLimit = {}, countsItself } }) => [
      `${method} ${url}`,
      [...Object.keys(rateLimit), ...(countsItself ? ['countsItself'] : [])],
    ])
  expect(Object.fromEntries(found)).toEqual(limitedBy)
})

describe('links that end mail', () => {
  let api: TestApp
  beforeAll(async () => {
    api = await startTestApp({ env: { RATE_LIMIT_FACTOR: '1' } })
  })
  afterAll(() => api.close())

  test('are opened thirty times in five minutes from a network', async () => {
    const open = async () =>
      (await api.app.inject({ url: '/mail/unsubscribe/unknown', remoteAddress: '198.51.100.3' })).statusCode
    const statuses: number[] = []
    for (let at = 0; at < 31; at++) statuses.push(await open())
    expect(statuses).toEqual([...Array(30).fill(404), 429])
  })
})
