import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildSchool, type Member } from '../../support/builders.ts'
import { limited } from '../../support/limited.ts'
import { mailedToken } from '../../support/mailed-tokens.ts'

let api: TestApp
beforeEach(async () => {
  api = await startTestApp({ env: { RATE_LIMIT_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' } })
})
afterEach(() => api.close())

const password = 'a long way to Tipperary'
let host = 0
/** Another network each time. */
const elsewhere = () => `198.51.${100 + Math.floor(++host / 250)}.${host % 250}`
const post = (url: string, body: object, from: string) =>
  api.call('POST', url, { body, headers: { 'x-forwarded-for': from } })
const signUp = (email: string, from: string, more = {}) =>
  post('/users', { name: 'Ana', email, password, ...more }, from)
const signIn = (email: string, from: string, given = password) => post('/auth', { email, password: given }, from)
const forgot = (email: string, from: string) => post('/auth/forgot-password', { email }, from)
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

describe('one mail address (§Limits)', () => {
  test('has five tries from one network, however it is written, at each of the four endpoints apart', async () => {
    const email = 'ana@example.com'
    expect((await signUp(email, elsewhere())).statusCode).toBe(201)
    const home = elsewhere()
    expect((await signIn('ANA@example.com', home)).statusCode).toBe(200)
    for (let count = 0; count < 5; count++) expect((await signIn(email, home, 'wrong password')).statusCode).toBe(401)
    limited(await signIn(` ${email}`, home))
    expect((await signIn(email, elsewhere())).statusCode).toBe(200)
    expect((await forgot(email, home)).statusCode).toBe(204)
    const token = await mailedToken(api, email, 'reset_password')
    const reset = () => post('/auth/reset-password', { token, password: 'weak' }, home)
    for (let count = 0; count < 5; count++) expect((await reset()).statusCode).toBe(400)
    limited(await reset())
    expect((await signUp(email, home)).json().code).toBe('ALREADY_REGISTERED')
  })

  test('has thirty tries from everywhere, and they do not lock out where its owner signed in within 30 days', async () => {
    const email = 'ana@example.com'
    const home = elsewhere()
    await signUp(email, elsewhere())
    expect((await signIn(email, home)).statusCode).toBe(200)
    await times(30, () => forgot(email, elsewhere()))
    limited(await forgot(email, elsewhere()))
    expect((await forgot(email, home)).statusCode).toBe(204)
    expect((await signIn(email, elsewhere())).statusCode).toBe(200)
    api.clock.now = new Date(api.clock.now.getTime() + 30 * 86_400_000)
    limited(await forgot(email, home))
  })

  test('has thirty wrong passwords from everywhere; right ones do not count, and its owner signs in at home', async () => {
    const email = 'ana@example.com'
    const home = elsewhere()
    await signUp(email, elsewhere())
    for (let count = 0; count < 6; count++) expect((await signIn(email, home)).statusCode).toBe(200)
    expect(
      (await times(31, () => signIn(email, elsewhere(), 'wrong'))).map(({ statusCode }) => statusCode).sort(),
    ).toEqual([...Array(30).fill(401), 429])
    limited(await signIn(email, elsewhere()))
    expect((await signIn(email, home)).statusCode).toBe(200)
  })

  test('signs in thirty times an hour from one network; only a right password learns of more, and tokens stay valid', async () => {
    const email = 'ana@example.com'
    const [home, cafe] = [elsewhere(), elsewhere()]
    await signUp(email, elsewhere())
    const first = await signIn(email, home)
    for (let count = 1; count < 30; count++) expect((await signIn(email, home)).statusCode).toBe(200)
    limited(await signIn(email, home))
    expect((await signIn(email, home, 'wrong')).statusCode).toBe(401)
    expect((await signIn(email, cafe)).statusCode).toBe(200)
    expect((await api.call('GET', '/auth/session', { token: first.json().data.token })).statusCode).toBe(200)
  })

  test('is mailed five links for a new password an hour, at once or not, and the last one works', async () => {
    const email = 'ana@example.com'
    await signUp(email, elsewhere())
    expect((await times(9, () => forgot(email, elsewhere()))).map(({ statusCode }) => statusCode)).toEqual(
      Array(9).fill(204),
    )
    const links = async () => {
      const count = "select count(*)::int as links from mail_token where purpose = 'reset_password'"
      return (await api.core.database.pool.query(count)).rows[0].links
    }
    expect(await links()).toBe(5)
    // Half an hour later the last link is old, so another one is mailed.
    api.clock.now = new Date(api.clock.now.getTime() + 31 * 60_000)
    await forgot(email, elsewhere())
    await forgot(email, elsewhere())
    expect(await links()).toBe(6)
    const reset = () => mailedToken(api, email, 'reset_password')
    const body = { token: await reset(), password: 'another long way home' }
    expect((await post('/auth/reset-password', body, elsewhere())).statusCode).toBe(204)
    // The last one is used.
    await forgot(email, elsewhere())
    expect(await links()).toBe(7)
  })
})

describe('one network (§Limits)', () => {
  test('has ten wrong sign-ins in 15 minutes exactly, for whatever address', async () => {
    const classroom = elsewhere()
    const answers = await times(14, (index) => signIn(`p${index}@example.com`, classroom))
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    limited(await signIn('p99@example.com', classroom))
    expect((await forgot('p99@example.com', classroom)).statusCode).toBe(204)
  })

  test('signs in without limit while the passwords are right, also at once', async () => {
    const classroom = elsewhere()
    const emails = ['ana', 'ben', 'cleo'].map((name) => `${name}@example.com`)
    for (const email of emails) expect((await signUp(email, elsewhere())).statusCode).toBe(201)
    const answers = await times(12, (index) => signIn(emails[index % 3]!, classroom))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(200))
  })

  test('resets nothing by right passwords between the wrong ones', async () => {
    const classroom = elsewhere()
    await signUp('mallory@example.com', elsewhere())
    for (let count = 0; count < 10; count++) {
      expect((await signIn('mallory@example.com', classroom)).statusCode).toBe(200)
      expect((await signIn(`p${count}@example.com`, classroom)).statusCode).toBe(401)
    }
    limited(await signIn('p10@example.com', classroom))
    limited(await signIn('mallory@example.com', classroom))
  })

  test('has ten sign-ups, not counting those with an open invitation', async () => {
    const classroom = elsewhere()
    const { admin } = await buildSchool(api)
    await api.as(admin).post('/organizations/invite', { email: 'eva@example.com' })
    const taken = { email: admin.email, password: 'weak' }
    await times(10, () => signUp(taken.email, classroom).then(() => signUp('x@example.com', classroom, taken)))
    limited(await signUp('ben@example.com', classroom))
    limited(await signUp('ben@example.com', classroom, { invitationToken: 'guess' }))
    const invitationToken = await mailedToken(api, 'eva@example.com', 'invitation')
    expect((await signUp('eva@example.com', classroom, { invitationToken })).statusCode).toBe(201)
  })
})

test('wrong passwords for more than twenty addresses from one network are a warning in the log', async () => {
  const lines: string[] = []
  const logTo = { write: (line: string) => lines.push(line) }
  const env = { RATE_LIMIT_FACTOR: '3', TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn' }
  const guessed = await startTestApp({ env, logTo })
  const [classroom, other] = [elsewhere(), elsewhere()]
  const guess = (email: string, from: string) =>
    guessed.call('POST', '/auth', { body: { email, password: 'wrong' }, headers: { 'x-forwarded-for': from } })
  const warnings = () => lines.map((line) => JSON.parse(line)).filter(({ network }) => network === classroom)
  for (let count = 0; count < 20; count++) await guess(`p${count}@example.com`, classroom)
  for (let count = 0; count < 5; count++) await guess('p1@example.com', classroom)
  await guess('p20@example.com', other)
  expect(warnings()).toEqual([])
  await guess('p20@example.com', classroom)
  expect(warnings()).toMatchObject([{ level: 40, msg: 'wrong passwords for many accounts come from one network' }])
  expect(lines.join('')).not.toContain('p20@')
  await guessed.close()
})

test('an account may enter twenty wrong join codes an hour, and any number of right ones', async () => {
  const [school, other] = [await buildSchool(api), await buildSchool(api)]
  const { rows } = await api.core.database.pool.query<{ code: string }>('select code from organization where id = $1', [
    school.organizationId,
  ])
  const join = (code: string) => api.as(other.student).post(`/organizations/join/${code}`)
  expect((await join(rows[0]!.code)).statusCode).toBe(200)
  const answers = await times(22, () => join('222222'))
  expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(20)
  limited(await join('222222'))
  limited(await join(rows[0]!.code))
})

describe('an account (§Limits)', () => {
  const address = { line1: '1 Field Road', city: 'Hayward', state: 'CA', postalCode: '94541', country: 'US' }
  const body = {
    name: 'Bay Flight Academy',
    details: { email: 'desk@bayflight.example', phone: '+1 510 555 0100', address },
    location: { name: 'Hayward', address },
  }
  const found = ({ token }: Member) => api.call('POST', '/organizations', { token, body })

  test('founds ten organizations a day', async () => {
    const { owner } = await buildSchool(api)
    for (let count = 0; count < 10; count++) expect((await found(owner)).statusCode).toBe(201)
    limited(await found(owner))
  })

  test('owns fifty at most, also when two are founded at once', async () => {
    const { owner } = await buildSchool(api)
    await api.core.database.pool.query(
      `with founded as (
         insert into organization (name, organization_type, time_zone_name, details, code, settings)
         select 'Field ' || n, 'flying_club', 'UTC', '{}', 'Z' || translate((22222 + n)::text, '01', 'AB'), '{}'
           from generate_series(1, 48) n returning id)
       insert into membership (organization_id, account_id, owner, admin) select id, $1, true, true from founded`,
      [owner.accountId],
    )
    const answers = await times(3, () => found(owner))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 429, 429])
    expect(answers.find(({ statusCode }) => statusCode === 429)?.json().message).toMatch(/^You own 50/)
  })
})
