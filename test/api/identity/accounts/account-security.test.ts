import { decodeJwt } from 'jose'
import { describe, expect } from 'vitest'
import { buildAccount, buildSchool, type Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { mailedToken } from '../../../support/mailed-tokens.ts'

const test = sharedSchoolTest()
  .extend(
    'post',
    ({ api }) =>
      (url: string, body: object, token?: string) =>
        api.call('POST', url, { body, token }),
  )
  .extend(
    'session',
    ({ api }) =>
      async (token: string) =>
        (await api.call('GET', '/auth/session', { token })).statusCode,
  )
  .extend(
    'forgot',
    ({ post }) =>
      (email: string) =>
        post('/auth/forgot-password', { email }),
  )
  .extend(
    'reset',
    ({ post }) =>
      (token: string) =>
        post('/auth/reset-password', { token, password: 'another long way home' }),
  )
  .extend('later', ({ api }) => (ms: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + ms)
  })
  .extend(
    'rowsOf',
    ({ api }) =>
      async (query: string, values: unknown[]) =>
        (await api.core.database.pool.query(query, values)).rows,
  )
  .extend('signUp', ({ api }) => async (more = {}, headers = {}) => {
    const email = `person${++people}@example.com`
    const body = { name: 'Ana Ruiz', email, password, ...more }
    const answer = await api.call('POST', '/users', { body, headers })
    return { email, body, token: answer.json().data.token as string, id: answer.json().data.user.id as number }
  })
  /** What a member opened besides their session. */
  .extend(
    'openAll',
    ({ api, post }) =>
      async (member: Pick<Member, 'token' | 'organizationId' | 'orgUserId' | 'accountId'>): Promise<void> => {
        await post('/calendar/token', {}, member.token)
        await api.core.database.pool.query('insert into push_device (account_id, token) values ($1, $2)', [
          member.accountId,
          `phone-${member.accountId}`,
        ])
        await api.core.database.pool.query(
          `insert into connected_account (organization_id, membership_id, provider, refresh_token, connected_at)
     values ($1, $2, 'zoom', '', now())`,
          [member.organizationId, member.orgUserId],
        )
      },
  )
  .extend(
    'opened',
    ({ rowsOf }) =>
      async ({ accountId, orgUserId }: Pick<Member, 'accountId' | 'orgUserId'>): Promise<number[]> => {
        const [row] = await rowsOf(
          `select (select count(*)::int from calendar_feed where membership_id = $2) as feeds,
            (select count(*)::int from push_device where account_id = $1) as devices,
            (select count(*)::int from connected_account where membership_id = $2) as accounts`,
          [accountId, orgUserId],
        )
        return [row.feeds, row.devices, row.accounts]
      },
  )

const password = 'a long way to Tipperary'
let people = 0

describe('the links for a new password', () => {
  test('end when a newer one is made, also of ten at once, and when one is used', async ({
    api,
    forgot,
    reset,
    rowsOf,
    signUp,
  }) => {
    const { email } = await signUp()
    await forgot(email)
    const first = await mailedToken(api, email, 'reset_password')
    await Promise.all(Array.from({ length: 10 }, () => forgot(email)))
    expect((await reset(first)).statusCode).toBe(400)
    const open = await rowsOf(
      `select t.id from mail_token t join account a on a.id = t.account_id
        where a.email = $1 and t.purpose = 'reset_password' and t.used_at is null`,
      [email],
    )
    expect(open).toHaveLength(1)
    const seeds = await rowsOf('select seed from mail_token where id = $1', [open[0].id])
    expect((await reset(api.core.mailTokens.tokenOf(seeds[0].seed))).statusCode).toBe(204)
  })
})

describe('a new password (§Authentication)', () => {
  test('ends calendars, devices and connected accounts, and enqueues a mail to the owner', async ({
    api,
    school,
    session,
    forgot,
    reset,
    later,
    rowsOf,
    openAll,
    opened,
  }) => {
    const { student } = school
    await openAll(student)
    expect((await opened(student)).every((count) => count > 0)).toBe(true)
    later(1000)
    await forgot(student.email)
    expect((await reset(await mailedToken(api, student.email, 'reset_password'))).statusCode).toBe(204)
    expect(await opened(student)).toEqual([0, 0, 0])
    expect(await session(student.token)).toBe(401)
    const owed = await rowsOf("select payload from outbox where job = 'accounts.mail-password-changed'", [])
    expect(owed.map(({ payload }) => payload.accountId)).toContain(student.accountId)
  })

  test('ends what a stranger planted under the address, also at a repeated sign-up', async ({
    api,
    post,
    session,
    forgot,
    reset,
    later,
    signUp,
  }) => {
    const headers = { 'idempotency-key': 'planted' }
    const planted = await signUp({}, headers)
    later(1000)
    await forgot(planted.email)
    expect((await reset(await mailedToken(api, planted.email, 'reset_password'))).statusCode).toBe(204)
    later(1000)
    const again = await api.call('POST', '/users', { body: planted.body, headers })
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect([await session(planted.token), await session(again.json().data.token)]).toEqual([401, 401])
    expect((await post('/auth', { email: planted.email, password })).statusCode).toBe(401)
  })
})

describe('an invitation that proves an address', () => {
  test('ends whatever the account had before, its password too, and mails a link for a new one', async ({
    api,
    school,
    post,
    session,
    reset,
    later,
    signUp,
  }) => {
    const planted = await signUp()
    await post('/organizations/invite', { email: planted.email }, school.admin.token)
    later(1000)
    const token = await mailedToken(api, planted.email, 'invitation')
    const accepted = await post('/organizations/invitations/accept', { token }, planted.token)
    expect(accepted.statusCode).toBe(200)
    expect(accepted.json().data.user.emailVerified).toBe(true)
    expect([await session(planted.token), await session(accepted.json().data.token)]).toEqual([401, 200])
    expect((await post('/auth', { email: planted.email, password })).statusCode).toBe(401)
    expect((await reset(await mailedToken(api, planted.email, 'reset_password'))).statusCode).toBe(204)
  })

  test('changes nothing in an account whose address was proved before', async ({
    api,
    school,
    post,
    session,
    later,
  }) => {
    const { email, token } = await buildAccount(api)
    await post('/organizations/invite', { email }, school.admin.token)
    later(1000)
    const invitation = await mailedToken(api, email, 'invitation')
    expect((await post('/organizations/invitations/accept', { token: invitation }, token)).statusCode).toBe(200)
    expect(await session(token)).toBe(200)
  })
})

describe('authTime (§Authentication)', () => {
  test('is the time of the sign-in, and is inherited by refreshed, switched and founding tokens', async ({
    api,
    post,
    later,
    signUp,
  }) => {
    const { email } = await signUp()
    later(60_000)
    const signedIn = (await post('/auth', { email, password })).json().data
    const at = api.clock.now.getTime() / 1000
    expect(decodeJwt(signedIn.token).authTime).toBe(at)
    later(60_000)
    const refreshed = (await api.as(signedIn).get('/auth')).json().data
    expect(decodeJwt(refreshed.token)).toMatchObject({ authTime: at, iat: at + 60 })
    const address = { line1: '1 Field Road', city: 'Hayward', state: 'CA', postalCode: '94541', country: 'US' }
    const founded = await post(
      '/organizations',
      {
        name: 'Field Club',
        details: { email, phone: '+1 510 555 0100', address },
        location: { name: 'Hayward', address },
      },
      refreshed.token,
    )
    const { token, organization } = founded.json().data
    expect(decodeJwt(token).authTime).toBe(at)
    const switched = await post(`/organizations/switch/${organization.id}`, {}, token)
    expect(decodeJwt(switched.json().data.token).authTime).toBe(at)
  })
})

test('the first owner of a demo organization counts as verified, and nobody else in it does', async ({ api, post }) => {
  const demo = await buildSchool(api, { demo: true })
  const ids = [demo.owner.accountId, demo.admin.accountId]
  await api.core.database.pool.query('update account set email_verified_at = null where id = any($1)', [ids])
  const invite = (who: Member, email: string) => post('/organizations/invite', { email }, who.token)
  expect((await invite(demo.owner, 'one@example.com')).statusCode).toBe(204)
  const refused = await invite(demo.admin, 'two@example.com')
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
})

test('a deleted account has no address, and the address is free again', async ({
  api,
  school,
  post,
  rowsOf,
  signUp,
}) => {
  const { email, id, body, token } = await signUp()
  await post('/auth', { email, password })
  await post('/organizations/invite', { email }, school.admin.token)
  const invitation = await mailedToken(api, email, 'invitation')
  const joined = await post('/organizations/invitations/accept', { token: invitation }, token)
  expect((await api.call('DELETE', '/users', { token: joined.json().data.token })).statusCode).toBe(204)
  const tables = await rowsOf(
    `select table_name as name, query_to_xml('select * from ' || quote_ident(table_name), true, false, '')::text as found
       from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    [],
  )
  expect(tables.filter(({ found }) => found.includes(email)).map(({ name }) => name)).toEqual([])
  expect(await rowsOf('select name, email from account where id = $1', [id])).toEqual([{ name: 'Ana Ruiz', email: '' }])
  expect((await post('/users', body)).statusCode).toBe(201)
})
