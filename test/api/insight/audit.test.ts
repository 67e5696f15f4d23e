import { describe, expect } from 'vitest'
import { hashPassword } from '../../../src/shared/identity/accounts/hash-password.ts'
import { buildAccount, buildMember, buildSchool, type Member } from '../../support/builders.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { bookDual, expectOk, fly } from '../../support/flights.ts'

interface Entry {
  id: string
  at: string
  action: string
  actor: { kind: string; orgUserId: number | null; keyId: number | null; name: string | null }
  address: string | null
  subject: { kind: string; id: number }
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
}

const test = sharedSchoolTest()
  .extend('pupil', { scope: 'file' }, ({ api, school }) => buildMember(api, school.organizationId, ['student']))

  .extend(
    'audit',
    ({ school, api }) =>
      (query = '', who: Pick<Member, 'token'> = school.admin) =>
        expectOk<Entry[]>(api, who, 'GET', `/audit${query}`),
  )

  .extend('changeRoles', ({ api, pupil, school }) => async (roles: Record<string, boolean>): Promise<void> => {
    const response = await api.call('PATCH', `/users/${pupil.accountId}/roles`, {
      token: school.owner.token,
      body: roles,
    })
    expect(response.statusCode, response.body).toBe(200)
  })

  .extend(
    'signIn',
    ({ api }) =>
      (email: string, password: string) =>
        api.call('POST', '/auth', { body: { email, password } }),
  )

describe('the audit log (§Audit log)', () => {
  test('says who changed the roles of whom, from where, and what they were', async ({
    changeRoles,
    audit,
    school,
    pupil,
  }) => {
    await changeRoles({ student: true, renter: true })
    const [entry] = await audit('?action=member.roles_changed')
    expect(entry).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: '2026-11-21T12:00:00.000Z',
      action: 'member.roles_changed',
      actor: { kind: 'person', orgUserId: school.owner.orgUserId, keyId: null, name: expect.any(String) },
      address: '127.0.0.0/24',
      subject: { kind: 'member', id: pupil.orgUserId },
      before: { roles: ['student'] },
      after: { roles: ['student', 'renter'] },
      reason: null,
    })
  })

  test('has the readings of a flight in hours, and is the history of its booking', async ({ api, school, audit }) => {
    const id = await bookDual(api, school)
    await fly(api, school, id)
    const entries = await audit(`?subject=reservation:${id}`)
    expect(entries.map(({ action }) => action)).toEqual([
      'reservation.ramped_in',
      'reservation.ramped_out',
      'reservation.created',
    ])
    expect(entries[1]?.after).toEqual({
      hobbsOut: undefined,
      hobbsTimeOut: expect.any(Number),
      tachTimeOut: expect.any(Number),
    })
    const history = await expectOk<{ action: string }[]>(api, school.admin, 'GET', `/reservations/${id}/history`)
    expect(history.map(({ action }) => action)).toEqual(['ramped_out', 'ramped_in'])
  })

  test('is found by a member as the actor and as the subject', async ({ changeRoles, audit, pupil, school }) => {
    await changeRoles({ student: true })
    const [asSubject, asActor] = [
      await audit(`?orgUserId=${pupil.orgUserId}&action=member.roles_changed`),
      await audit(`?orgUserId=${school.owner.orgUserId}&action=member.roles_changed`),
    ]
    expect(asSubject.length).toBeGreaterThan(0)
    expect(asActor.map(({ id }) => id)).toEqual(asSubject.map(({ id }) => id))
    expect(await audit(`?orgUserId=${school.technician.orgUserId}`)).toEqual([])
  })

  test('is cut by a window, its end left out', async ({ audit }) => {
    const from = 'startDate=2026-11-21T12:00:00Z'
    expect((await audit(`?${from}&endDate=2026-11-21T12:00:01Z`)).length).toBeGreaterThan(0)
    expect(await audit('?endDate=2026-11-21T12:00:00Z')).toEqual([])
  })

  test.for([
    ['?action=member.abducted', 'action'],
    ['?subject=member', 'subject'],
    ['?subject=spaceship:1', 'subject'],
    ['?subject=member:0', 'subject'],
    ['?startDate=2026-11-22T00:00:00Z&endDate=2026-11-21T00:00:00Z', 'endDate'],
  ] as const)('refuses %s', async ([query, field], { api, school }) => {
    const response = await api.call('GET', `/audit${query}`, { token: school.admin.token })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(new RegExp(`^${field}: `))
  })

  test('is of one organization', async ({ api, audit, pupil }) => {
    const other = await buildSchool(api)
    expect(await audit('', other.admin)).toEqual([])
    expect(await audit(`?subject=member:${pupil.orgUserId}`, other.admin)).toEqual([])
  })

  test('says who was invited, who joined and how, and no address', async ({ school, audit, api }) => {
    const { admin } = school
    const latest = async (action: string) => (await audit(`?action=${action}&limit=1`))[0]
    await expectOk(api, admin, 'POST', '/organizations/invite', { email: 'ana@example.com', instructor: true })
    expect(await latest('invitation.created')).toMatchObject({ before: null, after: { roles: ['instructor'] } })
    const { code } = await expectOk<{ code: string }>(api, admin, 'PATCH', '/organizations', { private: true })
    const stranger = await buildAccount(api)
    const asked = await api.call('POST', `/organizations/join/${code}`, { token: stranger.token })
    const { id } = asked.json().data
    expect(await latest('join_request.submitted')).toMatchObject({ actor: { orgUserId: null }, subject: { id } })
    await expectOk(api, admin, 'POST', `/organizations/joinRequests/${id}/approve`, { renter: true })
    const by = { actor: { orgUserId: admin.orgUserId }, after: { roles: ['renter'] } }
    expect(await latest('join_request.approved')).toMatchObject({ ...by, subject: { id } })
    expect(await latest('member.joined')).toMatchObject({ ...by, subject: { kind: 'member' } })
    await expectOk(api, admin, 'PATCH', '/organizations', { private: false })
    const walkIn = await buildAccount(api)
    expect((await api.call('POST', `/organizations/join/${code}`, { token: walkIn.token })).statusCode).toBe(200)
    const joined = await latest('member.joined')
    expect(joined).toMatchObject({ after: { roles: ['student'] } })
    expect(joined?.actor.orgUserId).toBe(joined?.subject.id)
    expect(JSON.stringify(await audit())).not.toContain('@')
  })

  test('says who gave and withdrew a training grant, and what a rule was before', async ({ school, api, audit }) => {
    const { admin, instructor } = school
    const grant = { orgUserId: instructor.orgUserId, grant: 'auditor' }
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/training/grants', grant)
    expect((await api.as(admin).delete(`/training/grants/${id}`)).statusCode).toBe(200)
    const actions = async (subject: string) =>
      (await audit(`?subject=${subject}`)).map(({ action, before, after }) => [action, before, after])
    const figures = { grant: 'auditor', courseId: null }
    expect(await actions(`member:${instructor.orgUserId}`)).toEqual([
      ['grant.withdrawn', figures, null],
      ['grant.given', null, figures],
    ])
    const rule = { name: 'Club check', kind: 'expiring', warnDays: 30 }
    const currency = await expectOk<{ id: number }>(api, admin, 'POST', '/currencies', rule)
    await expectOk(api, admin, 'PATCH', `/currencies/${currency.id}`, { blocking: true })
    const [changed, added] = await actions(`currency:${currency.id}`)
    expect(added).toEqual(['rule.changed', null, expect.objectContaining({ ...rule, enforcement: 'warn' })])
    expect(changed).toEqual([
      'rule.changed',
      expect.objectContaining({ enforcement: 'warn' }),
      expect.objectContaining({ enforcement: 'block' }),
    ])
  })

  test('keeps no reason of a member’s grounding', async ({ api, school, pupil, audit }) => {
    const grounded = { grounded: true, groundedReason: 'Heart surgery' }
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${pupil.orgUserId}`, grounded)
    const [entry] = await audit('?action=member.grounded')
    expect(entry).toMatchObject({ subject: { kind: 'member', id: pupil.orgUserId }, after: null, reason: null })
  })

  test('tells an organization of sign-ins into itself, and of refused ones without the network', async ({
    api,
    pupil,
    signIn,
    audit,
  }) => {
    const elsewhere = await buildSchool(api)
    const { email } = pupil
    const { db } = api.core.database
    const password_hash = await hashPassword('correct horse battery')
    await db.updateTable('account').set({ password_hash }).where('id', '=', pupil.accountId).execute()
    expect((await signIn(email, 'a wrong one')).statusCode).toBe(401)
    expect((await signIn('nobody@example.com', 'a wrong one')).statusCode).toBe(401)
    expect((await signIn(email, 'correct horse battery')).statusCode).toBe(200)
    const [refused] = await audit('?action=session.refused')
    expect(refused).toMatchObject({
      actor: { kind: 'system', orgUserId: null },
      address: null,
      subject: { kind: 'member', id: pupil.orgUserId },
    })
    const [started] = await audit('?action=session.started')
    expect(started).toMatchObject({
      actor: { kind: 'person', orgUserId: pupil.orgUserId },
      address: '127.0.0.0/24',
      subject: { kind: 'member', id: pupil.orgUserId },
    })
    expect(await audit('', elsewhere.admin)).toEqual([])
  })
})
