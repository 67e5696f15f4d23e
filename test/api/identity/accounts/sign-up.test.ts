import { describe, expect } from 'vitest'
import { apiTest } from '../../../support/fixtures.ts'

const test = apiTest()

const ana = { name: 'Ana Ruiz', email: 'Ana@Example.com', password: 'a long way to Tipperary' }

describe('signing up (§Authentication and accounts)', () => {
  test('creates an account without an organization and signs it in at once', async ({ api }) => {
    const response = await api.call('POST', '/users', { body: ana })
    expect(response.statusCode).toBe(201)
    const { data } = response.json()
    expect(data.user).toMatchObject({
      name: 'Ana Ruiz',
      email: 'ana@example.com',
      emailVerified: false,
      owner: false,
      orgUserId: null,
    })
    expect(data.organization).toBeNull()
    expect(data.expiresAt).toBe('2026-12-21T12:00:00.000Z')
    const session = await api.as(data).get('/auth/session')
    expect(session.statusCode).toBe(200)
    expect(session.body).toBe('')
  })

  test('refuses a registered address, however it is written', async ({ api }) => {
    const response = await api.call('POST', '/users', { body: { ...ana, email: 'ANA@example.com ' } })
    expect(response.statusCode).toBe(400)
    expect(response.json().code).toBe('ALREADY_REGISTERED')
  })
})
