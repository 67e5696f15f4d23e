import { hash } from '@node-rs/argon2'
import { describe, expect } from 'vitest'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { importAs } from '../../../support/imports.ts'

const test = schoolTest()

const decomposed = 'Jose\u0301'
const composed = 'Jos\u00e9'

interface Named {
  id: number
  name: string
}

describe('letters that are written in two ways (§Conventions that hold across the interface)', () => {
  test('are one name: a member is found by either', async ({ api, school }) => {
    const made = await api.as(school.admin).post('/orgUsers', { name: `${decomposed} Diaz` })
    expect(made.statusCode, made.body).toBe(201)
    for (const q of [decomposed, composed]) {
      const found = await expectOk<{ user: Named }[]>(api, school.admin, 'GET', `/orgUsers?q=${encodeURIComponent(q)}`)
      expect(found.map(({ user }) => user.name)).toEqual([`${composed} Diaz`])
      const hits = await expectOk<{ title: string }[]>(api, school.admin, 'GET', `/search?q=${encodeURIComponent(q)}`)
      expect(hits).toHaveLength(1)
    }
  })

  test('make one group, and one place and one member of a file', async ({ api, school }) => {
    expect((await api.as(school.admin).post('/groups', { name: composed })).statusCode).toBe(201)
    expect((await api.as(school.admin).post('/groups', { name: decomposed })).statusCode).toBe(409)
    for (const kind of ['locations', 'members']) {
      const text = (name: string) => ({ kind, text: `name\n${name} Field\n` })
      const first = await importAs(api, school.admin, text(decomposed))
      const second = await importAs(api, school.admin, text(composed))
      expect([first.outcomes, second.outcomes]).toEqual([['created'], ['unchanged']])
      expect(second.rows[0]!.id).toBe(first.rows[0]!.id)
      const twice = await importAs(api, school.admin, { kind, text: `name\n${decomposed} B\n${composed} B\n` })
      expect(twice.outcomes).toEqual(['created', 'refused'])
    }
  })

  test('are one password, and one that was hashed as it was typed still signs in', async ({ api }) => {
    const email = 'letters@example.com'
    const signIn = async (password: string) =>
      (await api.call('POST', '/auth', { body: { email, password } })).statusCode
    const body = { name: 'Letters', email, password: `gru\u0308n wie das gras 42` }
    expect((await api.call('POST', '/users', { body })).statusCode).toBe(201)
    expect(await signIn('gr\u00fcn wie das gras 42')).toBe(200)
    expect(await signIn('gru\u0308n wie\u00a0das gras 42')).toBe(200)
    expect(await signIn('grun wie das gras 42')).toBe(401)
    const old = await hash('gru\u0308n as it was typed', { memoryCost: 8, timeCost: 1, parallelism: 1 })
    await api.core.database.pool.query('update account set password_hash = $1 where email = $2', [old, email])
    expect(await signIn('gru\u0308n as it was typed')).toBe(200)
    expect(await signIn('gr\u00fcn as it was typed')).toBe(401)
  })
})

describe('a name that shows nothing', () => {
  test.for(['\u200b', '\u3164', '\u2060\u00ad', '\u2800'])('is 400: %j', async (name, { api, school }) => {
    const refused = await api.as(school.admin).post('/orgUsers', { name })
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'name: must contain visible characters'])
    const { rows } = await importAs(api, school.admin, { kind: 'members', rows: [{ name }] })
    expect(rows[0]).toMatchObject({ outcome: 'refused', problems: [{ column: 'name', message: 'is missing' }] })
  })
})

describe('a phone number that an address book wrapped in marks of direction', () => {
  test('loses them', async ({ api, school }) => {
    const phone = '\u202a+1\u00a0(510)\u00a0555\u20110100\u202c'
    const made = await api.as(school.admin).post('/orgUsers', { name: 'Ana Ruiz', phone })
    expect(made.json().data.user.phone).toBe('+1\u00a0(510)\u00a0555\u20110100')
    const { rows } = await importAs(api, school.admin, { kind: 'members', rows: [{ name: 'Bo Lund', phone }] })
    expect(rows[0]!.outcome).toBe('created')
    const bo = await expectOk<{ user: { phone: string } }>(api, school.admin, 'GET', `/orgUsers/${rows[0]!.id}`)
    expect(bo.user.phone).toBe('+1\u00a0(510)\u00a0555\u20110100')
  })
})
