import { describe, expect } from 'vitest'
import { buildMember, buildPlane, type Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

const test = sharedSchoolTest()
  .extend(
    'say',
    ({ api, school }) =>
      (verb: 'approve' | 'unapprove', who: Member, by: Member = school.admin) =>
        api.as(by).post(`/resources/${plane.id}/${verb}`, { userId: who.accountId }),
  )
  .extend('approvedIds', ({ api, school }) => async (query = '') => {
    const response = await api.as(school.student).get(`/resources/${plane.id}/approvedUsers${query}`)
    return response.json().data.map(({ id }: { id: number }) => id)
  })
  .extend('approvedOn', ({ api, school }) => async (who: Member) => {
    const response = await api.as(school.renter).get(`/users/${who.accountId}/approvedResources`)
    return response.json().data.map(({ id }: { id: number }) => id)
  })

let plane: { id: number }
test.beforeEach(async ({ api, school }) => {
  plane = await buildPlane(api, school)
})

describe('an approval of a person for an aircraft (§Resources)', () => {
  test('is given by an admin once, however often it is sent, and is visible from both sides', async ({
    school,
    say,
    approvedIds,
    approvedOn,
  }) => {
    const first = await say('approve', school.student)
    expect(first.statusCode).toBe(200)
    expect(first.json().data).toEqual({
      resourceId: plane.id,
      userId: school.student.accountId,
      orgUserId: school.student.orgUserId,
      approved: true,
    })
    expect((await say('approve', school.student)).statusCode).toBe(200)
    expect(await approvedIds()).toEqual([school.student.orgUserId])
    expect(await approvedOn(school.student)).toEqual([plane.id])
  })

  test('is removed, also when there was none', async ({ api, school, say, approvedIds, approvedOn }) => {
    const pilot = await buildMember(api, school.organizationId, ['renter'])
    await say('approve', pilot)
    const taken = await say('unapprove', pilot)
    expect(taken.json().data).toMatchObject({ approved: false })
    expect((await say('unapprove', pilot)).statusCode).toBe(200)
    expect(await approvedIds()).toEqual([])
    expect(await approvedOn(pilot)).toEqual([])
  })

  test('is listed by role: by either when both are asked for, and for everyone when none is', async ({
    api,
    school,
    say,
    approvedIds,
  }) => {
    const both = await buildMember(api, school.organizationId, ['student', 'renter'])
    const people = [school.student, school.renter, school.instructor, both]
    for (const person of people) await say('approve', person)
    const ids = (...members: Member[]) => new Set(members.map(({ orgUserId }) => orgUserId))
    expect(new Set(await approvedIds())).toEqual(ids(...people))
    expect(new Set(await approvedIds('?student=true'))).toEqual(ids(school.student, both))
    expect(new Set(await approvedIds('?renter=true'))).toEqual(ids(school.renter, both))
    expect(new Set(await approvedIds('?student=true&renter=true'))).toEqual(ids(school.student, school.renter, both))
    expect(new Set(await approvedIds('?student=false'))).toEqual(ids(...people))
    expect(await approvedIds('?sort=user.name&limit=1')).toHaveLength(1)
  })

  test('of a member who left is not listed', async ({ api, school, say, approvedIds }) => {
    const leaver = await buildMember(api, school.organizationId, ['renter'])
    await say('approve', leaver)
    await api.core.database.db
      .updateTable('membership')
      .set({ removed_at: api.clock.now })
      .where('id', '=', leaver.orgUserId)
      .execute()
    expect(await approvedIds()).toEqual([])
    expect((await say('approve', leaver)).statusCode).toBe(404)
  })
})

describe('an approval by make and model (§Approvals)', () => {
  const until = '2027-06-01T00:00:00.000Z'

  test('is of every such aircraft, once however it is written, and ends', async ({
    api,
    school,
    say,
    approvedIds,
    approvedOn,
  }) => {
    await api.core.database.db
      .updateTable('resource')
      .set({ make: 'Cessna', model: '172S' })
      .where('id', '=', plane.id)
      .execute()
    const pilot = await buildMember(api, school.organizationId, ['renter'])
    const give = (body: object, by = school.admin) =>
      api.as(by).post('/approvals', { orgUserId: pilot.orgUserId, make: 'Cessna', model: '172S', ...body })
    const first = await give({})
    expect(first.statusCode, first.body).toBe(201)
    expect(first.json().data).toEqual({
      id: expect.any(Number),
      orgUserId: pilot.orgUserId,
      member: { orgUserId: pilot.orgUserId, name: pilot.name },
      resource: null,
      make: 'Cessna',
      model: '172S',
      expiresAt: null,
      approvedBy: { orgUserId: school.admin.orgUserId, name: school.admin.name },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const again = await give({ make: ' cessna', model: '172s', expiresAt: until })
    expect([again.statusCode, again.json().data.id]).toEqual([200, first.json().data.id])
    expect(again.json().data.expiresAt).toBe(until)
    expect(await approvedIds()).toEqual([pilot.orgUserId])
    expect(await approvedOn(pilot)).toEqual([plane.id])
    const refused = await say('unapprove', pilot)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'APPROVED_BY_MODEL'])
    const own = (await api.as(pilot).get('/approvals')).json().data
    expect(own).toMatchObject([{ orgUserId: pilot.orgUserId, expiresAt: until }])
    expect((await api.as(pilot).get(`/approvals?orgUserId=${school.student.orgUserId}`)).json().data).toEqual([])
    const covering = (await api.as(school.dispatcher).get(`/approvals?resourceId=${plane.id}`)).json().data
    expect(covering).toMatchObject([{ id: first.json().data.id }])
    await give({ expiresAt: '2026-11-01T00:00:00Z' })
    expect(await approvedIds()).toEqual([])
    expect((await api.as(school.admin).delete(`/approvals/${first.json().data.id}`)).statusCode).toBe(204)
    expect((await api.as(school.admin).delete(`/approvals/${first.json().data.id}`)).statusCode).toBe(404)
    expect((await api.as(pilot).get('/approvals')).json().data).toEqual([])
  })

  test('is asked of the pilot in command at the start of a booking', async ({ api, school }) => {
    const pilot = await buildMember(api, school.organizationId, ['renter'])
    await api.core.database.db
      .updateTable('resource')
      .set({ make: 'Diamond', model: 'DA40' })
      .where('id', '=', plane.id)
      .execute()
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { aircraftApprovalRequired: true } })
    const approval = { orgUserId: pilot.orgUserId, make: 'DIAMOND', model: 'da40', expiresAt: '2026-12-02T00:00:00Z' }
    await expectOk(api, school.admin, 'POST', '/approvals', approval)
    const book = (day: string) =>
      api.as(school.dispatcher).post('/reservations', {
        title: 'Rental',
        type: 'rental',
        timeZoneName: 'UTC',
        resource: { id: plane.id },
        start: `${day}T10:00:00Z`,
        end: `${day}T12:00:00Z`,
        personnel: { renters: [{ orgUserId: pilot.orgUserId }] },
      })
    expect((await book('2026-12-01')).statusCode).toBe(201)
    const late = await book('2026-12-02')
    expect(late.json().details.problems).toMatchObject([{ rule: 'aircraft_approval', code: 'NOT_APPROVED' }])
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { aircraftApprovalRequired: false } })
  })

  test('is given by instructors where the school lets them, not to themselves', async ({ api, school }) => {
    const give = (orgUserId: number) =>
      api.as(school.instructor).post('/approvals', { orgUserId, resourceId: plane.id })
    expect((await give(school.student.orgUserId)).statusCode).toBe(403)
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { instructorsApprove: true } })
    const given = await give(school.student.orgUserId)
    expect(given.statusCode).toBe(201)
    expect((await give(school.instructor.orgUserId)).statusCode).toBe(403)
    const url = `/approvals/${given.json().data.id}`
    expect((await api.as(school.dispatcher).delete(url)).statusCode).toBe(403)
    expect((await api.as(school.instructor).delete(url)).statusCode).toBe(204)
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { instructorsApprove: false } })
  })

  test('names one thing', async ({ api, school }) => {
    const orgUserId = school.student.orgUserId
    const post = (body: object) => api.as(school.admin).post('/approvals', { orgUserId, ...body })
    for (const body of [{}, { make: 'Cessna' }, { resourceId: plane.id, make: 'Cessna', model: '172S' }]) {
      expect((await post(body)).statusCode).toBe(400)
    }
  })
})

describe('an approval request is refused', () => {
  test.for([{}, { userId: 'x' }, { userId: 1.5 }, { userId: -1 }, { userId: 1e21 }])(
    'the body %j: 400',
    async (body, { api, school }) => {
      const response = await api.as(school.admin).post(`/resources/${plane.id}/approve`, body)
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toMatch(/^userId: /)
    },
  )
})
