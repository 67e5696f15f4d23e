import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Method, startTestApp, type TestApp } from '../../support/app.ts'
import { buildSchool, type School } from '../../support/builders.ts'

let api: TestApp
let school: School
beforeAll(async () => {
  api = await startTestApp()
  school = await buildSchool(api)
})
afterAll(() => api.close())

const raw = (payload: string | Buffer, type = 'application/json', url = '/groups') =>
  api.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { authorization: `Bearer ${school.admin.token}`, 'content-type': type },
  })

describe('a body', () => {
  test.each([
    ['that is broken', '{"name": ', 400],
    ['that is not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 400],
    ['that is a number', '7', 400],
    ['that is null', 'null', 400],
    ['that is a list', '[{"name": "A"}]', 400],
    ['that is empty', '', 400],
    ['nested a thousand levels deep', `{"name":"A","x":${'['.repeat(1000)}${']'.repeat(1000)}}`, 400],
    ['nested a hundred thousand levels deep', `{"name":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`, 400],
    ['with a key that reaches for the prototype', '{"name":"A","__proto__":{"admin":true}}', 400],
    ['with a key that reaches for the constructor', '{"name":"A","constructor":{"prototype":{"admin":true}}}', 400],
    ['larger than a mebibyte', `{"name":"${'x'.repeat(1024 * 1024)}"}`, 413],
  ])('%s is refused in the envelope', async (_, payload, status) => {
    const response = await raw(payload)
    expect(response.statusCode).toBe(status)
    expect(response.json().message).toEqual(expect.any(String))
    expect(response.headers['x-request-id']).toEqual(expect.any(String))
  })

  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'that claims to be %s is 415',
    async (type) => {
      const response = await raw('{"name":"A"}', type)
      expect(response.statusCode).toBe(415)
      expect(Object.keys(response.json())).toEqual(['message'])
    },
  )

  test('that does not fit gets all its problems, the first by field name, and nothing of the inside', async () => {
    const response = await raw('{"name": 7, "orgUserIds": ["a", 1.5]}')
    expect(response.statusCode).toBe(400)
    const { message, details, ...rest } = response.json()
    expect(rest).toEqual({})
    expect(message).toMatch(/^name: /)
    expect(details.problems.map((problem: { field: string }) => problem.field)).toEqual([
      'name',
      'orgUserIds.0',
      'orgUserIds.1',
    ])
  })
})

describe('an id in a path', () => {
  test.each([
    ['x', 400],
    ['-1', 400],
    ['1.5', 400],
    ['1e3', 400],
    ['%00', 400],
    ["1'--", 400],
    ['0', 400],
    ['2147483648', 404],
    ['9'.repeat(30), 404],
    ['9'.repeat(31), 404],
  ])('like %s is answered with %i', async (id, status) => {
    for (const url of [`/groups/${id}`, `/orgUsers/${id}`, `/users/${id}`, `/organizations/${id}`]) {
      const response = await api.as(school.owner).get(url)
      expect([url, response.statusCode]).toEqual([url, status])
    }
  })
})

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
    { billingMode: 'ledger', instructionRates: { flight: 1 }, grounded: true, groundedReason: 'r' },
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
