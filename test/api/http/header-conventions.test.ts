import { describe, expect } from 'vitest'
import { sharedSchoolTest } from '../../support/fixtures.ts'

const test = sharedSchoolTest()
const asProblem = { accept: 'application/problem+json, application/json;q=0.5' }

describe('a 401', () => {
  test('says which credentials the service takes, and whether those sent were wrong', async ({ api }) => {
    const none = await api.call('GET', '/users')
    expect([none.statusCode, none.headers['www-authenticate']]).toEqual([401, 'Bearer realm="Flightline"'])
    const wrong = await api.call('GET', '/users', { token: 'none-of-ours' })
    expect(wrong.headers['www-authenticate']).toBe('Bearer realm="Flightline", error="invalid_token"')
  })

  test('of the operators’ pages asks for a name and a password instead', async ({ api }) => {
    expect((await api.call('GET', '/metrics')).headers['www-authenticate']).toMatch(/^Basic /)
  })
})

describe('a body with fields that the endpoint does not know', () => {
  test('is read without them, and the answer names them by path', async ({ api, school }) => {
    const body = { name: 'Hayward', adress: {}, address: { city: 'Hayward', zipp: '94541' } }
    const made = await api.as(school.admin).post('/locations', body)
    expect([made.statusCode, made.headers['x-ignored-fields']]).toEqual([201, 'adress, address.zipp'])
    const clean = await api.as(school.admin).post('/locations', { name: 'Livermore' })
    expect(clean.headers['x-ignored-fields']).toBeUndefined()
  })

  test('cannot put anything into a header but twenty plain names', async ({ api, school }) => {
    const many = Object.fromEntries(Array.from({ length: 1_900 }, (_, index) => [`f${index}`, 1]))
    const answer = await api.as(school.admin).post('/groups', { name: 'Evenings', ...many })
    const named = Array.from({ length: 20 }, (_, index) => `f${index}`).join(', ')
    expect(answer.headers['x-ignored-fields']).toBe(`${named}, ...1+ more`)
    const odd = { name: 'Mornings', 'a\r\nset-cookie: x': 1, größe: 1, ['x'.repeat(65)]: 1, fine: 1 }
    const second = await api.as(school.admin).post('/groups', odd)
    expect([second.statusCode, second.headers['x-ignored-fields']]).toEqual([201, 'fine, ...3 more'])
  })
})

describe('a strict request', () => {
  const strict = { prefer: 'return=minimal, handling=strict' }

  test('is refused for each key and parameter that the endpoint does not know, and writes nothing', async ({
    api,
    school,
  }) => {
    const body = { name: 'Tracy', adress: {}, address: { city: 'Tracy', zipp: '95376' }, größe: 1 }
    const { token } = school.admin
    const refused = await api.call('POST', '/locations?notfy=true', { token, body, headers: strict })
    expect([refused.statusCode, refused.headers['preference-applied']]).toEqual([400, 'handling=strict'])
    const { details, message } = refused.json()
    expect(details.problems.map(({ field }: { field: string }) => field)).toEqual([
      'notfy',
      'adress',
      'address.zipp',
      'größe',
    ])
    expect(message).toContain('address.zipp: is not a field or parameter of this endpoint')
    expect((await api.as(school.admin).get('/locations')).body).not.toContain('Tracy')
  })

  test('names what does not fit beside what is not known', async ({ api, school }) => {
    const options = { token: school.admin.token, headers: strict }
    const answer = await api.call('POST', '/locations', { ...options, body: { nme: 'Tracy' } })
    const fields = answer.json().details.problems.map(({ field }: { field: string }) => field)
    expect(fields).toEqual(['name', 'nme'])
  })

  test('is done when everything is known, and the answer says that it was strict', async ({ api, school }) => {
    const options = { token: school.admin.token, headers: { prefer: 'handling="strict"; wait=1' } }
    const made = await api.call('POST', '/locations', { ...options, body: { name: 'Oakdale' } })
    expect([made.statusCode, made.headers['preference-applied']]).toEqual([201, 'handling=strict'])
    expect(made.headers['x-ignored-fields']).toBeUndefined()
    const lenient = { prefer: 'handling=lenient, handling=strict' }
    const read = await api.call('GET', '/locations?nme=x', { token: school.admin.token, headers: lenient })
    expect([read.statusCode, read.headers['preference-applied']]).toEqual([200, undefined])
  })

  test('names at most fifty problems, with at most a hundred characters of a name', async ({ api, school }) => {
    const many = Object.fromEntries(Array.from({ length: 1_900 }, (_, index) => [`f${index}`, 1]))
    const body = { name: 'Noons', ['x'.repeat(200_000)]: 1, ...many }
    const answer = await api.call('POST', '/groups', { token: school.admin.token, body, headers: strict })
    const { problems } = answer.json().details
    expect([answer.statusCode, problems.length]).toEqual([400, 50])
    expect(problems[0].field).toBe(`${'x'.repeat(100)}…`)
    expect(answer.body.length).toBeLessThan(10_000)
  })

  test('of a stranger is refused as any other first', async ({ api }) => {
    expect((await api.call('GET', '/users?x=1', { headers: strict })).statusCode).toBe(401)
  })
})

describe('a query parameter that the endpoint does not know', () => {
  test('is named, also by an endpoint without parameters or without a body', async ({ api, school }) => {
    const as = api.as(school.admin)
    const listed = await as.get('/locations?limt=1&limit=1')
    expect([listed.statusCode, listed.headers['x-ignored-fields']]).toEqual([200, 'limt'])
    expect((await as.get('/users/availability?a=1&b=2')).headers['x-ignored-fields']).toBe('a, b')
    const sent = await api.call('POST', '/notifications', { token: school.admin.token, body: { all: true } })
    expect([sent.statusCode, sent.headers['x-ignored-fields']]).toEqual([204, 'all'])
  })
})

describe('an error (§Errors)', () => {
  test('is problem details for who accepts them', async ({ api, school }) => {
    const options = { token: school.admin.token, headers: asProblem }
    const missing = await api.call('GET', '/locations/999999', options)
    expect(missing.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(missing.json()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'There is no such record.',
    })
    const wrong = await api.call('POST', '/locations', { ...options, body: {} })
    expect(wrong.json()).toMatchObject({ status: 400, detail: 'name: is required', details: { problems: [{}] } })
    expect((await api.call('GET', '/%zz', { headers: asProblem })).json()).toMatchObject({ status: 400 })
  })

  test('with a code has the code’s place in the reference as its type', async ({ api, school }) => {
    const send = (body: object) =>
      api.call('POST', '/groups', {
        token: school.admin.token,
        headers: { ...asProblem, 'idempotency-key': 'one-key' },
        body,
      })
    await send({ name: 'Weekends' })
    expect((await send({ name: 'Weekdays' })).json()).toMatchObject({
      type: '/docs/errors#IDEMPOTENCY_MISMATCH',
      title: 'Conflict',
      code: 'IDEMPOTENCY_MISMATCH',
    })
  })

  test('is the usual envelope for all others', async ({ api }) => {
    for (const accept of ['*/*', 'application/json', 'application/problem+json;q=0']) {
      const answer = await api.call('GET', '/nothing', { headers: { accept } })
      expect(answer.json()).toEqual({ message: 'There is nothing at this address.' })
    }
  })
})

test('the limits that counted a request are told with their windows (§Limits)', async ({ api, school }) => {
  const { headers } = await api.as(school.admin).get('/locations')
  expect(headers['ratelimit-policy']).toBe('300000;w=60, 5000000;w=3600')
  expect((await api.call('GET', '/health')).headers['ratelimit-policy']).toBe('300000;w=60')
  expect((await api.call('GET', '/nothing')).headers['ratelimit-policy']).toBe('100000;w=300')
})

test('browsers are told to come back by HTTPS to this host, and of no other of its domain', async ({ api }) => {
  expect((await api.call('GET', '/health')).headers['strict-transport-security']).toBe('max-age=31536000')
})
