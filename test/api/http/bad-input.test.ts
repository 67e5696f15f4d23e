import { describe, expect } from 'vitest'
import { sharedSchoolTest } from '../../support/fixtures.ts'

const test = sharedSchoolTest().extend(
  'raw',
  ({ api, school }) =>
    (payload: string | Buffer, type = 'application/json', url = '/groups') =>
      api.app.inject({
        method: 'POST',
        url,
        payload,
        headers: { authorization: `Bearer ${school.admin.token}`, 'content-type': type },
      }),
)

describe('a body (§Errors)', () => {
  test.for<[string, string | Buffer, number]>([
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
  ])('%s is refused in the envelope', async ([_, payload, status], { raw }) => {
    const response = await raw(payload)
    expect(response.statusCode).toBe(status)
    expect(response.json().message).toEqual(expect.any(String))
    expect(response.headers['x-request-id']).toEqual(expect.any(String))
  })

  test.for(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'that claims to be %s is 415',
    async (type, { raw }) => {
      const response = await raw('{"name":"A"}', type)
      expect(response.statusCode).toBe(415)
      expect(Object.keys(response.json())).toEqual(['message'])
    },
  )

  test('that does not fit gets all its problems, the first by field name, and nothing of the inside', async ({
    raw,
  }) => {
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

describe('an id in a path (§Errors)', () => {
  test.for([
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
  ])('like %s is answered with %i', async ([id, status], { api, school }) => {
    for (const url of [`/groups/${id}`, `/orgUsers/${id}`, `/users/${id}`, `/organizations/${id}`]) {
      const response = await api.as(school.owner).get(url)
      expect([url, response.statusCode]).toEqual([url, status])
    }
  })
})
