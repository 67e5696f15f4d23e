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
