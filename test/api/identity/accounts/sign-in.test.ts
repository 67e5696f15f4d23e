import { describe, expect } from 'vitest'
import { apiTest } from '../../../support/fixtures.ts'
import { mailedToken } from '../../../support/mailed-tokens.ts'

const test = apiTest()
  .extend('signUp', ({ api }) => async () => {
    const email = `pilot${++people}@example.com`
    const response = await api.call('POST', '/users', { body: { name: `Pilot ${people}`, email, password } })
    return { email, token: response.json().data.token as string }
  })
  .extend(
    'signIn',
    ({ api }) =>
      (email: string, given = password) =>
        api.call('POST', '/auth', { body: { email, password: given } }),
  )
  .extend(
    'session',
    ({ api }) =>
      async (token: string) =>
        (await api.call('GET', '/auth/session', { token })).statusCode,
  )
  .extend(
    'verify',
    ({ api }) =>
      (token: string) =>
        api.call('POST', '/auth/verify-email', { body: { token } }),
  )
  .extend(
    'forgot',
    ({ api }) =>
      (email: unknown) =>
        api.call('POST', '/auth/forgot-password', { body: { email } }),
  )
  .extend(
    'reset',
    ({ api }) =>
      (token: unknown, given: unknown = 'another long way home') =>
        api.call('POST', '/auth/reset-password', { body: { token, password: given } }),
  )

const password = 'a long way to Tipperary'
let people = 0

describe('signing in (§Authentication rule 1)', () => {
  test('answers the envelope with a valid token, however the address is written', async ({
    signUp,
    signIn,
    session,
  }) => {
    const { email } = await signUp()
    const response = await signIn(` ${email.toUpperCase()} `)
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({ user: { email }, organization: null })
    expect(await session(response.json().data.token)).toBe(200)
  })

  test('answers the same for a wrong password and for an unknown address', async ({ signUp, signIn }) => {
    const { email } = await signUp()
    const [wrong, unknown] = [await signIn(email, 'not the password'), await signIn('nobody@example.com')]
    expect([wrong.statusCode, unknown.statusCode]).toEqual([401, 401])
    expect(wrong.json()).toEqual(unknown.json())
    const visible = ({ headers }: typeof wrong) => Object.keys(headers).sort()
    expect(visible(wrong)).toEqual(visible(unknown))
  })

  test('takes as long for an unknown address as for a known one', async ({ signUp, signIn }) => {
    const { email } = await signUp()
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let round = 0; round < 15; round++) {
      for (const [kind, address] of [
        ['known', email],
        ['unknown', `nobody${round}@example.com`],
      ] as const) {
        const start = performance.now()
        await signIn(address, 'not the password')
        times[kind].push(performance.now() - start)
      }
    }
    const median = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] as number
    // Without the comparison hash an unknown address is refused ten times as fast.
    expect(median(times.unknown) / median(times.known)).toBeGreaterThan(0.5)
  })

  test.for([
    ['email', { password }],
    ['password', { email: 'a@b.example' }],
    ['email', { email: 'a@b', password }],
    ['email', { email: { $gt: '' }, password }],
    ['password', { email: 'a@b.example', password: ['a'] }],
    ['password', { email: 'a@b.example', password: 'x'.repeat(10_000) }],
    ['password', { email: 'a@b.example', password: 'half \ud800' }],
    ['body', undefined],
  ] as const)('without a valid %s is 400', async ([field, body], { api }) => {
    const response = await api.call('POST', '/auth', { body })
    expect(response.statusCode).toBe(400)
    expect(response.json().message.startsWith(`${field}: `)).toBe(true)
  })

  test('treats SQL-like and strange text as a wrong password', async ({ signUp, signIn }) => {
    const { email } = await signUp()
    for (const given of ["' or '1'='1", '🛩️'.repeat(20), '%00', '\u202e reversed']) {
      expect((await signIn(email, given)).statusCode).toBe(401)
    }
  })
})

describe('signing up (§Authentication and accounts)', () => {
  test.for([
    ['password', { password: 'short1!' }, 'at least 10'],
    ['password', { password: 'password1234' }, 'too easy'],
    ['password', { password: 'x'.repeat(257) }, 'at most 256'],
    ['name', { name: '' }, ''],
    ['name', { name: 'n'.repeat(201) }, ''],
    ['email', { email: 'nobody' }, ''],
    ['invitationToken', { invitationToken: '' }, ''],
  ] as const)('with a bad %s (%j) is refused by field name', async ([field, change, words], { api }) => {
    const body = { name: 'Ana', email: 'unused@example.com', password, ...change }
    const response = await api.call('POST', '/users', { body })
    expect(response.statusCode).toBe(400)
    expect(response.json().message.startsWith(`${field}: `)).toBe(true)
    expect(response.json().message).toContain(words)
  })

  test('refuses a password made of the person’s own name or address', async ({ api }) => {
    const body = { name: 'Bartholomew Quigley', email: 'bart.quigley@example.com', password: 'bartholomewquigley' }
    expect((await api.call('POST', '/users', { body })).statusCode).toBe(400)
  })

  test('keeps any name unchanged', async ({ api }) => {
    const name = 'Ναυσικά "; drop table account; -- 🛩️'
    const body = { name, email: 'nausicaa@example.com', password }
    expect((await api.call('POST', '/users', { body })).json().data.user.name).toBe(name)
  })

  test('opens one account when ten requests with one address come at once', async ({ api }) => {
    const body = { name: 'Ten', email: 'ten@example.com', password }
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.call('POST', '/users', { body })))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, ...Array(9).fill(400)])
  })

  test('stores an Argon2id hash of the stated cost and no token anywhere', async ({ api, signUp }) => {
    const { email } = await signUp()
    const { rows } = await api.core.database.pool.query('select id, password_hash from account where email = $1', [
      email,
    ])
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const token = await mailedToken(api, email, 'verify_email')
    const tokens = await api.core.database.pool.query('select * from mail_token where account_id = $1', [rows[0].id])
    expect(JSON.stringify(tokens.rows)).not.toContain(token)
    const owed = await api.core.database.pool.query("select payload from outbox where job = 'accounts.send-mail-token'")
    expect(owed.rows.every((row) => Object.keys(row.payload).join() === 'mailTokenId')).toBe(true)
  })
})

describe('verifying an address (§Authentication and accounts)', () => {
  test('accepts the mailed token once within a day', async ({ api, signUp, verify }) => {
    const { email, token } = await signUp()
    const mailed = await mailedToken(api, email, 'verify_email')
    expect((await verify(mailed)).statusCode).toBe(204)
    expect((await api.call('GET', '/auth', { token })).json().data.user.emailVerified).toBe(true)
    expect((await verify(mailed)).statusCode).toBe(400)

    const late = await signUp()
    await api.core.database.pool.query(
      "update mail_token set expires_at = '2026-11-21T12:00:00Z' where used_at is null",
    )
    expect((await verify(await mailedToken(api, late.email, 'verify_email'))).statusCode).toBe(400)
    expect((await verify('guess')).statusCode).toBe(400)
    expect((await verify('')).statusCode).toBe(400)
  })

  test('lets one of twenty simultaneous uses win', async ({ api, signUp, verify }) => {
    const { email } = await signUp()
    const mailed = await mailedToken(api, email, 'verify_email')
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(mailed)))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([204, ...Array(19).fill(400)])
  })

  test('is offered again until it is done, and a link for a password does not verify', async ({
    api,
    signUp,
    verify,
  }) => {
    const { email, token } = await signUp()
    const resend = () => api.call('POST', '/auth/verify-email/resend', { token })
    const first = await mailedToken(api, email, 'verify_email')
    expect((await resend()).statusCode).toBe(204)
    const second = await mailedToken(api, email, 'verify_email')
    expect(second).not.toBe(first)
    await api.call('POST', '/auth/forgot-password', { body: { email } })
    expect((await verify(await mailedToken(api, email, 'reset_password'))).statusCode).toBe(400)
    expect((await verify(second)).statusCode).toBe(204)
    await resend()
    expect(await mailedToken(api, email, 'verify_email')).toBe(second)
  })
})

describe('a forgotten password (§Authentication and accounts)', () => {
  test('is answered the same for every address', async ({ signUp, forgot }) => {
    const { email } = await signUp()
    const [known, unknown] = [await forgot(email), await forgot('nobody@example.com')]
    expect([known.statusCode, unknown.statusCode]).toEqual([204, 204])
    expect(known.body).toBe(unknown.body)
    expect((await forgot(undefined)).statusCode).toBe(400)
  })

  test('takes as long for an unknown address as for a known one', async ({ signUp, forgot }) => {
    const { email } = await signUp()
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let round = 0; round < 7; round++) {
      for (const [kind, address] of [
        ['known', email],
        ['unknown', `nobody${round}@example.com`],
      ] as const) {
        const start = performance.now()
        await forgot(address)
        times[kind].push(performance.now() - start)
      }
    }
    const fastest = (list: number[]) => Math.min(...list)
    expect(fastest(times.unknown) / fastest(times.known)).toBeGreaterThan(0.9)
  })

  test('is replaced once through the link, which ends every token issued before', async ({
    api,
    signUp,
    signIn,
    session,
    forgot,
    reset,
  }) => {
    const { email, token } = await signUp()
    await forgot(email)
    const link = await mailedToken(api, email, 'reset_password')
    api.clock.now = new Date(api.clock.now.getTime() + 1000)
    expect((await reset(link)).statusCode).toBe(204)
    expect(await session(token)).toBe(401)
    expect((await signIn(email)).statusCode).toBe(401)
    const fresh = await signIn(email, 'another long way home')
    expect(fresh.json().data.user.emailVerified).toBe(true)
    expect(await session(fresh.json().data.token)).toBe(200)
    expect((await reset(link)).statusCode).toBe(400)
  })

  test('has a link that lives one hour and is not used up by a weak password', async ({
    api,
    signUp,
    forgot,
    reset,
  }) => {
    const { email } = await signUp()
    await forgot(email)
    const link = await mailedToken(api, email, 'reset_password')
    expect((await reset(link, 'password1234')).json().message).toMatch(/^password: /)
    const begun = api.clock.now
    api.clock.now = new Date(begun.getTime() + 3_600_000)
    expect((await reset(link)).statusCode).toBe(400)
    api.clock.now = new Date(begun.getTime() + 3_599_999)
    expect((await reset(link)).statusCode).toBe(204)
    expect((await reset('guess')).statusCode).toBe(400)
    expect((await reset(undefined)).statusCode).toBe(400)
    expect((await reset(link, undefined)).statusCode).toBe(400)
  })

  test('has a link that lets one of twenty simultaneous uses win', async ({ api, signUp, forgot, reset }) => {
    const { email } = await signUp()
    await forgot(email)
    const link = await mailedToken(api, email, 'reset_password')
    const answers = await Promise.all(Array.from({ length: 20 }, () => reset(link)))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([204, ...Array(19).fill(400)])
  })
})

describe('signing out (§Authentication and accounts)', () => {
  test('removes the device’s push token and leaves bearer tokens valid', async ({ api, signUp, session }) => {
    const { token } = await signUp()
    const { data } = (await api.call('GET', '/auth', { token })).json()
    const { pool } = api.core.database
    await pool.query("insert into push_device (account_id, token) values ($1, 'phone')", [data.user.id])
    const other = await signUp()
    const signOut = (bearer: string, body: object) => api.call('DELETE', '/auth', { token: bearer, body })
    expect((await signOut(other.token, { token: 'phone' })).statusCode).toBe(204)
    expect((await pool.query("select 1 from push_device where token = 'phone'")).rows).toHaveLength(1)
    expect((await signOut(token, { token: 'phone' })).statusCode).toBe(204)
    expect((await pool.query("select 1 from push_device where token = 'phone'")).rows).toHaveLength(0)
    expect((await signOut(token, {})).statusCode).toBe(400)
    expect(await session(token)).toBe(200)
  })
})
