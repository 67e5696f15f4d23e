import { describe, expect } from 'vitest'
import { buildMember, writeSettings } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { enter, entryBody } from '../../../support/waitlist.ts'

const test = schoolTest()

interface Entry {
  id: number
  status: string
  position: number | null
  orgUserId: number
  resourceIds: number[]
  endCause: string | null
}

describe('an entry of the waiting list', () => {
  test('is of the caller, with its place in the order', async ({ api, school }) => {
    const other = await buildMember(api, school.organizationId, ['student'])
    await enter(api, other)
    const id = await enter(api, school.student)
    const entry = await expectOk<Entry>(api, school.student, 'GET', `/waitlist/${id}`)
    expect(entry).toMatchObject({
      status: 'waiting',
      position: 2,
      orgUserId: school.student.orgUserId,
      noticeMinutes: 180,
      resourceIds: [],
      instructorOrgUserIds: [],
      insteadOf: null,
      offers: [],
      passedOver: [],
    })
    expect(await expectOk<Entry[]>(api, school.student, 'GET', '/waitlist')).toHaveLength(1)
    expect(await expectOk<Entry[]>(api, school.dispatcher, 'GET', '/waitlist?status=waiting')).toHaveLength(2)
    expect((await api.as(other).get(`/waitlist/${id}`)).statusCode).toBe(404)
  })

  test('is made for others by the desk, and by instructors for their own students alone', async ({ api, school }) => {
    const orgUserId = school.student.orgUserId
    await enter(api, school.dispatcher, { orgUserId })
    const byOthers = [school.instructor, school.renter].map((who) =>
      api.as(who).post('/waitlist', entryBody({ orgUserId, ...(who === school.renter && { type: 'rental' }) })),
    )
    for (const refused of await Promise.all(byOthers)) expect(refused.statusCode, refused.body).toBe(403)
    await bookDual(api, school)
    const instructorOrgUserIds = [school.instructor.orgUserId]
    await enter(api, school.instructor, { orgUserId, instructorOrgUserIds })
    const other = await buildMember(api, school.organizationId, ['instructor'])
    const withOther = entryBody({ orgUserId, instructorOrgUserIds: [other.orgUserId] })
    expect((await api.as(school.instructor).post('/waitlist', withOther)).statusCode).toBe(403)
  })

  test('is for what its maker may book', async ({ api, school }) => {
    const refused = await api.as(school.student).post('/waitlist', entryBody({ type: 'rental' }))
    expect(refused.json()).toMatchObject({ code: 'TYPE_NOT_ALLOWED' })
    const settings = { approvalRequired: { student: true } }
    await writeSettings(api, school.organizationId, settings)
    expect((await api.as(school.student).post('/waitlist', entryBody())).statusCode).toBe(403)
    await enter(api, school.dispatcher, { orgUserId: school.student.orgUserId })
  })

  test('is refused with wrong fields, and with ids of another school in the words of missing ones', async ({
    api,
    school,
  }) => {
    const window = { start: '2026-11-23T08:00:00Z', end: '2026-11-23T10:00:00Z' }
    const wrong = [
      { durationMinutes: 100 },
      { durationMinutes: 15 },
      { windows: [] },
      { windows: [{ start: '2026-11-23T08:00:00Z', end: '2026-11-23T08:20:00Z' }] },
      { windows: [{ start: '2026-11-23T08:00:00Z', end: '2026-12-23T08:00:00Z' }] },
      { windows: [window, { ...window, end: '2026-11-23T12:00:00Z' }] },
      { windows: [{ start: '2026-11-20T08:00:00Z', end: '2026-11-20T10:00:00Z' }] },
      { windows: [{ start: '2027-03-20T08:00:00Z', end: '2027-03-20T10:00:00Z' }] },
      { windows: [{ start: '2026-11-23T08:00:00Z', end: '2026-11-23T09:00:00Z' }] },
      { resourceIds: [999_999] },
      { pool: 'Nothing' },
      { pool: 'Nothing', resourceIds: [school.plane.id] },
      { instructorOrgUserIds: [school.renter.orgUserId] },
      { insteadOf: 999_999 },
      { noticeMinutes: 10_081 },
      { type: 'shared' },
      { type: 'solo', instructorOrgUserIds: [school.instructor.orgUserId] },
    ]
    for (const extra of wrong) {
      const response = await api.as(school.student).post('/waitlist', entryBody(extra))
      expect(response.statusCode, JSON.stringify(extra)).toBe(400)
    }
    const nobody = await api.as(school.dispatcher).post('/waitlist', entryBody({ orgUserId: school.renter.orgUserId }))
    expect(nobody.statusCode, 'no student').toBe(400)
    const stranger = await api.as(school.dispatcher).post('/waitlist', entryBody({ orgUserId: 999_999 }))
    expect(stranger.statusCode, 'no member').toBe(400)
  })

  test('can be one of five of a member, also when more are sent at once', async ({ api, school }) => {
    const sent = Array.from({ length: 8 }, () => api.as(school.student).post('/waitlist', entryBody()))
    const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 201)).toHaveLength(5)
    const refused = await api.as(school.student).post('/waitlist', entryBody())
    expect(refused.json()).toMatchObject({ code: 'TOO_MANY_ENTRIES', details: { limit: 5 } })
  })

  test('goes to the end of the list when it asks for more, and keeps its place when it asks for less', async ({
    api,
    school,
  }) => {
    const first = await enter(api, school.student)
    api.clock.now = new Date(api.clock.now.getTime() + 60_000)
    await enter(api, await buildMember(api, school.organizationId, ['student']))
    api.clock.now = new Date(api.clock.now.getTime() + 60_000)
    const change = (body: object) => expectOk<Entry>(api, school.student, 'PATCH', `/waitlist/${first}`, body)
    expect((await change({ resourceIds: [school.plane.id] })).position).toBe(1)
    expect((await change({ noticeMinutes: 240 })).position).toBe(1)
    const widened = await change({ resourceIds: [] })
    expect(widened).toMatchObject({ position: 2, resourceIds: [] })
  })

  test('keeps windows that are as long as its place when only the length changes', async ({ api, school }) => {
    const id = await enter(api, school.student)
    const change = (durationMinutes: number) => api.as(school.student).patch(`/waitlist/${id}`, { durationMinutes })
    expect((await change(480)).statusCode).toBe(200)
    await expectOk(api, school.student, 'PATCH', `/waitlist/${id}`, {
      durationMinutes: 120,
      windows: [{ start: '2026-11-23T08:00:00Z', end: '2026-11-23T10:00:00Z' }],
    })
    const refused = await change(135)
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'windows.0: must be at least as long as durationMinutes',
    ])
    expect(await expectOk(api, school.student, 'GET', `/waitlist/${id}`)).toMatchObject({ durationMinutes: 120 })
  })

  test('ends when it is deleted, and can still be read', async ({ api, school }) => {
    const id = await enter(api, school.student)
    expect((await api.as(school.student).delete(`/waitlist/${id}`)).statusCode).toBe(204)
    const entry = await expectOk<Entry>(api, school.student, 'GET', `/waitlist/${id}`)
    expect(entry).toMatchObject({ status: 'ended', endCause: 'deleted', position: null })
    const again = await api.as(school.student).patch(`/waitlist/${id}`, { noticeMinutes: 60 })
    expect(again.json()).toMatchObject({ code: 'NOT_PENDING' })
  })
})
