import { describe, expect } from 'vitest'
import { buildAccount, buildMember, type Member, ownersOf } from '../../../support/builders.ts'
import { schoolWorkersTest } from '../../../support/fixtures.ts'
import { mailedToken } from '../../../support/mailed-tokens.ts'

const test = schoolWorkersTest()
  .extend('second', { auto: true }, ({ api, school }) => buildMember(api, school.organizationId, ['owner', 'admin']))

  /** The sentences that each of these people is mailed about the owners, oldest first. */
  .extend('mailed', ({ workers }) => async (...people: Pick<Member, 'email'>[]) => {
    await workers.settled()
    const about = (email: string) =>
      workers.mails(email).filter(({ subject }) => /^Change of the owners of /.test(subject))
    return people.map(({ email }) => about(email).map(({ text }) => text.split('\n\n')[2]?.replaceAll('\n', ' ')))
  })

describe('every owner is mailed (docs/security.md)', () => {
  test('when the roles of a member gain and lose owner, by both endpoints', async ({ api, school, second, mailed }) => {
    const { owner, admin } = school
    const roles = { owner: true, admin: true }
    expect((await api.as(owner).patch(`/users/${admin.accountId}/roles`, roles)).statusCode).toBe(200)
    const made = `${owner.name} made ${admin.name} an owner.`
    expect(await mailed(owner, second, admin)).toEqual([[made], [made], [made]])
    expect((await api.as(owner).patch(`/orgUsers/${second.orgUserId}`, { owner: false })).statusCode).toBe(200)
    const unmade = `${owner.name} removed the role of owner from ${second.name}.`
    expect(await mailed(owner, second, admin)).toEqual([
      [made, unmade],
      [made, unmade],
      [made, unmade],
    ])
  })

  test('when somebody is invited as an owner, and accepts', async ({ api, school, second, mailed }) => {
    const { owner } = school
    const guest = await buildAccount(api)
    const invited = await api.as(owner).post('/organizations/invite', { email: guest.email, owner: true, admin: true })
    expect(invited.statusCode).toBe(204)
    const asked = `${owner.name} invited ${guest.email} to become an owner.`
    expect(await mailed(owner, second)).toEqual([[asked], [asked]])
    const token = await mailedToken(api, guest.email, 'invitation')
    expect((await api.as(guest).post('/organizations/invitations/accept', { token })).statusCode).toBe(200)
    const joined = `${guest.name} accepted the invitation of ${owner.name} and is an owner.`
    expect(await mailed(owner, second, guest)).toEqual([[asked, joined], [asked, joined], [joined]])
  })

  test('when a join request is approved as an owner', async ({ api, school, second, mailed }) => {
    const { owner, organizationId } = school
    const guest = await buildAccount(api)
    await api.as(owner).patch('/organizations', { private: true })
    const { rows } = await api.core.database.pool.query('select code from organization where id = $1', [organizationId])
    const asked = await api.as(guest).post(`/organizations/join/${rows[0].code}`)
    const { id } = asked.json().data
    const body = { owner: true, admin: true }
    expect((await api.as(owner).post(`/organizations/joinRequests/${id}/approve`, body)).statusCode).toBe(200)
    expect(await mailed(second)).toEqual([[`${owner.name} made ${guest.name} an owner.`]])
  })

  test('when an owner is removed, and when an owner’s account is deleted', async ({ api, school, second, mailed }) => {
    const { owner, organizationId } = school
    const third = await buildMember(api, organizationId, ['owner', 'admin'])
    expect((await api.as(owner).delete(`/orgUsers/${second.orgUserId}`)).statusCode).toBe(204)
    const removed = `${owner.name} removed ${second.name}, who was an owner.`
    expect(await mailed(owner, second, third)).toEqual([[removed], [removed], [removed]])
    expect((await api.as(third).delete('/users')).statusCode).toBe(204)
    const left = `${third.name}, an owner, left.`
    expect(await mailed(owner)).toEqual([[removed, left]])
    expect(await ownersOf(api, organizationId)).toBe(1)
  })

  test('and nobody when other roles change, and when others leave', async ({ api, school, second, mailed }) => {
    const { owner, admin, student, organizationId } = school
    await api.as(owner).patch(`/users/${student.accountId}/roles`, { renter: true })
    await api.as(owner).delete(`/orgUsers/${admin.orgUserId}`)
    await api.as(student).delete('/users')
    expect(await mailed(owner, second)).toEqual([[], []])
    expect(await ownersOf(api, organizationId)).toBe(2)
  })
})
