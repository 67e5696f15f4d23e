import { describe, expect } from 'vitest'
import { buildAccount, buildMember, buildSchool } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { mailedToken } from '../../../support/mailed-tokens.ts'

const test = schoolTest()
  .extend(
    'invite',
    ({ api, school }) =>
      (body: object, token = school.admin.token) =>
        api.call('POST', '/organizations/invite', { token, body }),
  )
  .extend(
    'accept',
    ({ api }) =>
      (invitationToken: string, token: string) =>
        api.call('POST', '/organizations/invitations/accept', { token, body: { token: invitationToken } }),
  )
  .extend(
    'list',
    ({ api, school }) =>
      async () =>
        (await api.as(school.owner).get('/organizations/invitations')).json().data,
  )

const password = 'a long way to Tipperary'

let invitees = 0
const address = () => `invitee${++invitees}@example.com`

describe('an invitation (§Members)', () => {
  test('is answered without a body, listed for admins, and enqueues one mail without a secret', async ({
    api,
    school,
    invite,
    list,
  }) => {
    const email = address()
    const response = await invite({ email: email.toUpperCase(), name: 'Ivo Lind', instructor: true, student: true })
    expect(response.statusCode).toBe(204)
    expect(await list()).toMatchObject([
      {
        email,
        name: 'Ivo Lind',
        instructor: true,
        student: true,
        admin: false,
        expired: false,
        invitedBy: { orgUserId: school.admin.orgUserId },
        expiresAt: '2026-12-05T12:00:00.000Z',
      },
    ])
    const { rows } = await api.core.database.pool.query(
      "select payload from outbox where organization_id = $1 and job = 'organizations.send-invitation'",
      [school.organizationId],
    )
    expect(rows.map((row) => Object.keys(row.payload).sort())).toEqual([['invitationId', 'organizationId']])
  })

  test('lets an account with the invited address join with the roles, and proves the address', async ({
    api,
    school,
    invite,
    accept,
    list,
  }) => {
    const account = await buildAccount(api, { verified: false })
    await invite({ email: account.email, instructor: true })
    const response = await accept(await mailedToken(api, account.email, 'invitation'), account.token)
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({
      user: { instructor: true, student: false, emailVerified: true },
      organization: { id: school.organizationId },
    })
    expect(await list()).toEqual([])
  })

  test('signs a new account up into the organization, verified when the address is the invited one', async ({
    api,
    school,
    invite,
  }) => {
    const email = address()
    await invite({ email, renter: true })
    const body = { name: 'Nea', email, password, invitationToken: await mailedToken(api, email, 'invitation') }
    const { data } = (await api.call('POST', '/users', { body })).json()
    expect(data).toMatchObject({
      user: { renter: true, emailVerified: true },
      organization: { id: school.organizationId },
    })
    const again = await api.call('POST', '/users', { body: { ...body, email: address() } })
    expect(again.statusCode).toBe(400)
    // Whoever has the link could do it: the owner of the address hears of it.
    const { rows } = await api.core.database.pool.query(
      "select payload from outbox where job = 'accounts.mail-signed-up-by-invitation' and (payload ->> 'accountId')::int = $1",
      [data.user.id],
    )
    expect(rows).toHaveLength(1)
  })

  test('leaves another address unverified at sign-up', async ({ api, invite }) => {
    const email = address()
    await invite({ email })
    const body = {
      name: 'Nea',
      email: address(),
      password,
      invitationToken: await mailedToken(api, email, 'invitation'),
    }
    const { data } = (await api.call('POST', '/users', { body })).json()
    expect(data.user).toMatchObject({ student: true, emailVerified: false })
  })

  test('of a demo organization opens that organization and proves no address', async ({ api, accept }) => {
    const demo = await buildSchool(api, { demo: true })
    const [fresh, known] = [address(), await buildAccount(api, { verified: false })]
    for (const email of [fresh, known.email]) {
      expect((await api.as(demo.admin).post('/organizations/invite', { email, renter: true })).statusCode).toBe(204)
    }
    const token = await mailedToken(api, known.email, 'invitation')
    expect((await accept(token, known.token)).json()).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' })
    const body = { name: 'Nea', email: fresh, password, invitationToken: await mailedToken(api, fresh, 'invitation') }
    const { data } = (await api.call('POST', '/users', { body })).json()
    expect(data).toMatchObject({
      user: { renter: true, emailVerified: false },
      organization: { id: demo.organizationId },
    })
    expect(await mailedToken(api, fresh, 'verify_email')).toBeTruthy()
  })

  test('is refused to an account with another address that is not verified', async ({ api, invite, accept }) => {
    const email = address()
    await invite({ email })
    const token = await mailedToken(api, email, 'invitation')
    const unverified = await accept(token, (await buildAccount(api, { verified: false })).token)
    expect(unverified.statusCode).toBe(403)
    expect(unverified.json().code).toBe('EMAIL_NOT_VERIFIED')
    expect((await accept(token, (await buildAccount(api)).token)).statusCode).toBe(200)
  })

  test('of an owner is sent by owners alone and makes an admin too', async ({ api, school, invite, accept }) => {
    const account = await buildAccount(api)
    expect((await invite({ email: account.email, owner: true })).statusCode).toBe(403)
    expect((await invite({ email: account.email, owner: true }, school.owner.token)).statusCode).toBe(204)
    const { data } = (await accept(await mailedToken(api, account.email, 'invitation'), account.token)).json()
    expect(data.user).toMatchObject({ owner: true, admin: true })
  })

  test('ends with the role or the membership of its sender when it grants more than a student’s role', async ({
    api,
    school,
    invite,
    accept,
    list,
  }) => {
    const leaving = await buildMember(api, school.organizationId, ['owner', 'admin'])
    const [owner, technician, student] = [address(), address(), address()]
    for (const body of [{ email: owner, owner: true }, { email: technician, technician: true }, { email: student }]) {
      expect((await invite(body, leaving.token)).statusCode).toBe(204)
    }
    const open = async () => (await list()).map(({ email }: { email: string }) => email).sort()
    const roles = `/users/${leaving.accountId}/roles`
    await api.as(school.owner).patch(roles, { admin: true })
    expect(await open()).toEqual([technician, student].sort())
    await api.as(school.owner).delete(`/orgUsers/${leaving.orgUserId}`)
    expect(await open()).toEqual([student])
    const token = await mailedToken(api, student, 'invitation')
    expect((await accept(token, (await buildAccount(api)).token)).statusCode).toBe(200)
  })

  test('never stays open when its sender loses the role at the same moment', async ({ api, school, invite, list }) => {
    for (let round = 0; round < 5; round++) {
      const leaving = await buildMember(api, school.organizationId, ['admin'])
      const [sent] = await Promise.all([
        invite({ email: address(), admin: true }, leaving.token),
        api.as(school.owner).patch(`/users/${leaving.accountId}/roles`, { student: true }),
      ])
      expect([204, 403]).toContain(sent.statusCode)
      expect(await list()).toEqual([])
    }
  })

  test('lets one of twenty simultaneous uses join', async ({ api, invite, accept }) => {
    const email = address()
    await invite({ email, student: true })
    const token = await mailedToken(api, email, 'invitation')
    const accounts = await Promise.all(Array.from({ length: 20 }, () => buildAccount(api)))
    const answers = await Promise.all(accounts.map((account) => accept(token, account.token)))
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.statusCode === 400)).toHaveLength(19)
  })

  test('ends after 14 days, when it is withdrawn, and for a member', async ({ api, school, invite, accept, list }) => {
    const account = await buildAccount(api)
    await invite({ email: account.email })
    const token = await mailedToken(api, account.email, 'invitation')
    const [row] = await list()
    const withdraw = () => api.as(school.admin).delete(`/organizations/invitations/${row.id}`)
    expect((await withdraw()).statusCode).toBe(204)
    expect((await accept(token, account.token)).statusCode).toBe(400)
    expect((await withdraw()).statusCode).toBe(404)

    const email = address()
    await invite({ email })
    const second = await mailedToken(api, email, 'invitation')
    const again = await accept(second, school.student.token)
    expect([again.statusCode, again.json().code]).toEqual([409, 'ALREADY_EXISTS'])
    await api.core.database.pool.query("update invitation set expires_at = '2026-11-21T12:00:00Z' where email = $1", [
      email,
    ])
    expect((await accept(second, account.token)).statusCode).toBe(400)
    expect((await list())[0]).toMatchObject({ email, expired: true })
    expect((await invite({ email })).statusCode).toBe(204)
    expect(await list()).toHaveLength(1)
  })

  test('is refused for an address that is invited or is a member’s', async ({ school, invite }) => {
    const email = address()
    const [first, second] = await Promise.all([invite({ email }), invite({ email })])
    expect([first?.statusCode, second?.statusCode].sort()).toEqual([204, 400])
    expect((await invite({ email })).json().code).toBe('ALREADY_INVITED')
    const member = await invite({ email: school.student.email })
    expect(member.statusCode).toBe(400)
    expect(member.json().code).toBe('ALREADY_MEMBER')
  })

  test('shows its holder who invites and whether there is an account', async ({ api, invite }) => {
    const account = await buildAccount(api)
    await invite({ email: account.email, dispatcher: true })
    const body = { token: await mailedToken(api, account.email, 'invitation') }
    const response = await api.call('POST', '/organizations/invitations/lookup', { body })
    expect(response.json().data).toMatchObject({
      organization: { name: 'Bay Flight Academy' },
      email: account.email,
      dispatcher: true,
      registered: true,
    })
    const wrong = await api.call('POST', '/organizations/invitations/lookup', { body: { token: 'guess' } })
    expect(wrong.statusCode).toBe(400)
  })

  test.for([
    ['email', {}],
    ['email', { email: 'nobody' }],
    ['email', { email: `${'x'.repeat(10_000)}@example.com` }],
    ['email', { email: 'nul\u0000@example.com' }],
    ['name', { email: 'a@b.example', name: 'half \udc00' }],
    ['name', { email: 'a@b.example', name: 'Claim it at https://evil.example' }],
    ['name', { email: 'a@b.example', name: 'WWW.evil.example' }],
    ['admin', { email: 'a@b.example', admin: 'true' }],
  ] as const)('with a bad %s is refused by field name', async ([field, body], { invite }) => {
    const response = await invite(body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message.startsWith(`${field}: `)).toBe(true)
  })
})
