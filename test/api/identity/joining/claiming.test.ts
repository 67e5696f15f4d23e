import { describe, expect } from 'vitest'
import { buildAccount, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { mailedToken } from '../../../support/mailed-tokens.ts'
import { buildManaged } from '../../../support/managed.ts'

const test = schoolTest()
  .extend(
    'invite',
    ({ api, school }) =>
      (body: object, who = school.admin) =>
        api.as(who).post('/organizations/invite', body),
  )
  .extend(
    'accept',
    ({ api }) =>
      (token: string, who: Pick<Member, 'token'>) =>
        api.call('POST', '/organizations/invitations/accept', { token: who.token, body: { token } }),
  )

const password = 'a long way to Tipperary'

describe('an invitation to a managed membership (§People)', () => {
  test('ties the account that accepts it to the membership, with its roles and profile', async ({
    api,
    school,
    invite,
    accept,
  }) => {
    const account = await buildAccount(api, { verified: false })
    const profile = { birthDate: '1990-05-01', notes: 'Paid in cash' }
    const { orgUserId } = await buildManaged(api, school, { email: account.email, instructor: true, profile })
    expect((await invite({ orgUserId })).statusCode).toBe(204)
    const response = await accept(await mailedToken(api, account.email, 'invitation'), account)
    expect(response.statusCode).toBe(200)
    const { user, token } = response.json().data
    expect(user).toMatchObject({ id: account.accountId, orgUserId, instructor: true, student: false })
    const member = (await api.as(school.student).get(`/orgUsers/${orgUserId}`)).json().data
    expect(member).toMatchObject({ managed: false, user: { id: account.accountId, name: account.name } })
    const own = (await api.call('GET', `/orgUsers/${orgUserId}/profile`, { token })).json().data
    expect(own).toMatchObject({ birthDate: '1990-05-01', verified: ['birthDate'] })
    expect(own).not.toHaveProperty('notes')
    const audit = (await api.as(school.owner).get(`/audit?action=member.claimed&orgUserId=${orgUserId}`)).json().data
    expect(audit).toMatchObject([{ subject: { kind: 'member', id: orgUserId } }])
    const jobs = await api.core.database.pool.query(
      `select kind from event where organization_id = $1 and kind = 'member.claimed'`,
      [school.organizationId],
    )
    expect(jobs.rows).toHaveLength(1)
  })

  test('is for the invited address alone, also for those who sign up with it', async ({
    api,
    school,
    invite,
    accept,
  }) => {
    const { orgUserId } = await buildManaged(api, school, { email: 'mia.claim@example.com' })
    await invite({ orgUserId })
    const token = await mailedToken(api, 'mia.claim@example.com', 'invitation')
    const stranger = await accept(token, await buildAccount(api))
    expect([stranger.statusCode, stranger.json().code]).toEqual([403, 'INVITATION_NOT_YOURS'])
    const signUp = (email: string) =>
      api.call('POST', '/users', { body: { name: 'Mia', email, password, invitationToken: token } })
    const elsewhere = await signUp('other.mia@example.com')
    expect([elsewhere.statusCode, elsewhere.json().code]).toEqual([403, 'INVITATION_NOT_YOURS'])
    const looked = await api.call('POST', '/organizations/invitations/lookup', { body: { token } })
    expect(looked.json().data).toMatchObject({ email: null, name: null, student: false, registered: false })
    expect((await signUp('mia.claim@example.com')).json().data.user).toMatchObject({ orgUserId, emailVerified: true })
  })

  test('of a role of staff is for the invited address alone, without a membership too', async ({
    api,
    invite,
    accept,
  }) => {
    await invite({ email: 'new.dispatcher@example.com', dispatcher: true })
    const token = await mailedToken(api, 'new.dispatcher@example.com', 'invitation')
    expect((await accept(token, await buildAccount(api))).json().code).toBe('INVITATION_NOT_YOURS')
  })

  test('names a managed member, and no roles beside it', async ({ school, api, invite }) => {
    const { orgUserId } = await buildManaged(api, school)
    const refusals = []
    for (const body of [
      { orgUserId },
      { orgUserId, email: 'mia.x@example.com', student: true },
      { orgUserId: school.student.orgUserId },
      { orgUserId: 999_999_999, email: 'mia.x@example.com' },
      { orgUserId, email: school.renter.email },
      {},
    ]) {
      const { statusCode, json } = await invite(body)
      refusals.push([statusCode, json().message])
    }
    expect(refusals).toEqual([
      [400, 'email: is required, since the member has none'],
      [400, 'student: the invitation grants the roles of the member; leave the flags out'],
      [400, 'orgUserId: this member has an account'],
      [400, 'orgUserId: there is no such member'],
      [400, 'email: this person is a member already'],
      [400, 'email: is required, since the member has none'],
    ])
  })

  test('to another address changes that of the member, and a changed address ends it', async ({
    api,
    school,
    invite,
  }) => {
    const { orgUserId } = await buildManaged(api, school, { email: 'mia.old@example.com' })
    await invite({ orgUserId, email: 'mia.new@example.com' })
    const path = `/orgUsers/${orgUserId}`
    expect((await api.as(school.admin).get(path)).json().data.user.email).toBe('mia.new@example.com')
    const open = async () => (await api.as(school.admin).get('/organizations/invitations')).json().data
    expect(await open()).toMatchObject([{ orgUserId, email: 'mia.new@example.com' }])
    await api.as(school.admin).patch(path, { email: 'mia.newer@example.com' })
    expect(await open()).toEqual([])
  })

  test('ends when the member is removed, or who sent it is no longer an admin', async ({ api, school, invite }) => {
    const left = await buildManaged(api, school, { email: 'left@example.com' })
    const stays = await buildManaged(api, school, { email: 'stays@example.com' })
    await invite({ orgUserId: left.orgUserId }, school.owner)
    await invite({ orgUserId: stays.orgUserId }, school.admin)
    await api.call('DELETE', `/orgUsers/${left.orgUserId}`, { token: school.owner.token })
    await api.call('PATCH', `/users/${school.admin.accountId}/roles`, {
      token: school.owner.token,
      body: { dispatcher: true },
    })
    expect((await api.as(school.owner).get('/organizations/invitations')).json().data).toEqual([])
  })

  test('cannot be accepted by somebody who is a member already', async ({ api, school, invite, accept }) => {
    const account = await buildAccount(api)
    const { orgUserId } = await buildManaged(api, school, { email: account.email })
    await invite({ orgUserId })
    const { code } = (await api.as(school.owner).get('/organizations')).json().data[0]
    await api.call('POST', `/organizations/join/${code}`, { token: account.token })
    const refused = await accept(await mailedToken(api, account.email, 'invitation'), account)
    expect([refused.statusCode, refused.json().message]).toEqual([
      409,
      'You are a member of this organization already. Ask an admin to merge the two memberships.',
    ])
    const { rows } = await api.core.database.pool.query(
      `select after from event where organization_id = $1 and kind = 'member.recognized'`,
      [school.organizationId],
    )
    expect(rows).toEqual([{ after: { orgUserId } }])
  })

  test('is accepted once, by one of two at the same time', async ({ api, school, invite, accept }) => {
    for (let round = 0; round < 3; round++) {
      const account = await buildAccount(api)
      const { orgUserId } = await buildManaged(api, school, { email: account.email })
      await invite({ orgUserId })
      const token = await mailedToken(api, account.email, 'invitation')
      const answers = await Promise.all([accept(token, account), accept(token, account)])
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
    }
  })
})
