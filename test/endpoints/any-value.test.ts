import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Method, startTestApp, type TestApp } from '../support/app.ts'
import { buildSchool, type School } from '../support/builders.ts'

let api: TestApp
let school: School
beforeAll(async () => {
  api = await startTestApp()
  school = await buildSchool(api)
})
afterAll(() => api.close())

/** What people and programs put into fields. Null bytes and halves of characters are what PostgreSQL cannot store. */
const strange = [
  '',
  ' ',
  'x'.repeat(10_000),
  '🛩️'.repeat(60),
  'nul \u0000 byte',
  'half \ud83d character',
  '\udc00',
  "Robert'); drop table account; --",
  '\\\\\\" \n\t\r\u2028\u202e',
  '<script>alert(1)</script>',
  '{{7*7}} %s %n',
  '../../etc/passwd',
  '-1',
  'null',
  '2026-13-45T99:99:99Z',
]
const otherKinds = [null, true, -1, 0.5, 1e21, 2 ** 31, [], {}, [[]]]

const writes: [Method, () => string, Record<string, unknown>][] = [
  ['PATCH', () => '/users', { name: 'A', phone: '1' }],
  [
    'PATCH',
    () => '/organizations',
    {
      name: 'A',
      organizationType: 'other',
      about: 'b',
      showInDirectory: true,
      private: false,
      details: { email: 'a@b.example', phone: '1', address: { line1: 'a', city: 'b', postalCode: '1', country: 'US' } },
      settings: {
        currency: 'usd',
        cancellationCategories: ['weather'],
        chargeRules: { aircraft: 'one_payer' },
        invoiceDueDays: 7,
      },
    },
  ],
  [
    'POST',
    () => '/organizations',
    {
      name: 'A',
      about: 'b',
      details: { email: 'a@b.example', phone: '1', address: { state: 'CA' } },
      location: { name: 'L', airportIdentifier: 'KHWD', timeZoneName: 'UTC', address: { line2: 'x' } },
    },
  ],
  ['POST', () => '/organizations/invite', { email: 'a@b.example', name: 'A', student: true }],
  ['POST', () => '/organizations/invitations/accept', { token: 'x' }],
  ['POST', () => '/organizations/invitations/lookup', { token: 'x' }],
  ['PATCH', () => `/users/${school.student.accountId}/roles`, { student: true, owner: false }],
  [
    'PATCH',
    () => `/orgUsers/${school.student.orgUserId}`,
    {
      billingMode: 'ledger',
      instructionRates: { flight: 1 },
      payRates: { sim: 1 },
      grounded: true,
      groundedReason: 'r',
    },
  ],
  ['PATCH', () => '/users/availability', { availability: [{ dayOfWeek: 1, startMinute: 0, endMinute: 60 }] }],
  [
    'POST',
    () => '/availability/timeOff',
    { start: '2026-12-01T00:00:00Z', end: '2026-12-02T00:00:00Z', reason: 'r', orgUserId: 1 },
  ],
  ['POST', () => '/groups', { name: 'G', description: 'd', orgUserIds: [1] }],
  ['POST', () => '/users', { name: 'A', email: 'a@b.example', password: 'a long way', invitationToken: 'x' }],
  ['POST', () => '/auth', { email: 'a@b.example', password: 'p' }],
  ['POST', () => '/auth/forgot-password', { email: 'a@b.example' }],
  ['POST', () => '/auth/reset-password', { token: 'x', password: 'p' }],
  ['POST', () => '/auth/verify-email', { token: 'x' }],
  ['DELETE', () => '/auth', { token: 'x' }],
]

/** Every copy of a body with one of its leaves replaced. */
function* replacing(body: unknown, value: unknown): Generator<unknown> {
  if (typeof body !== 'object' || body === null) return void (yield value)
  for (const key of Object.keys(body)) {
    for (const inner of replacing((body as Record<string, unknown>)[key], value)) {
      yield Array.isArray(body) ? [inner] : { ...body, [key]: inner }
    }
  }
}

describe('any value in a field of a body', () => {
  test.each(writes)(
    'of %s %s is data or a clean refusal',
    async (method, url, body) => {
      for (const value of [...strange, ...otherKinds]) {
        for (const changed of replacing(body, value)) {
          const response = await api.call(method, url(), { token: school.admin.token, body: changed })
          expect([changed, response.statusCode < 500], response.body).toEqual([changed, true])
          if (response.statusCode >= 400) {
            expect(response.json().message).toEqual(expect.any(String))
            expect(response.json().message).not.toMatch(/syntax|pg_|relation|column|stack|\bat \//)
          }
        }
      }
    },
    120_000,
  )

  test('any value in a query parameter is data or a clean refusal', async () => {
    for (const list of ['orgUsers', 'groups', 'guests', 'organizations/directory', 'availability/timeOff']) {
      for (const value of strange) {
        for (const name of ['q', 'sort', 'order', 'limit', 'offset', 'groupId', 'orgUserId', 'startDate', 'student']) {
          const url = `/${list}?${name}=${encodeURIComponent(value.toWellFormed())}`
          const response = await api.as(school.admin).get(url)
          expect([url, response.statusCode === 200 || response.statusCode === 400]).toEqual([url, true])
        }
      }
    }
  }, 120_000)
})
