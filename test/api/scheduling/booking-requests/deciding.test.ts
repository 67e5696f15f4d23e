import { describe, expect } from 'vitest'
import type { Problem } from '../../../../src/shared/scheduling/rules/problems.ts'
import { asking, buildAskedSchool, decide, reading } from '../../../support/booking-requests.ts'
import { buildLocation, buildMember, buildPlane, type Member, type School } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { clearOutbox, owedNotifications } from '../../../support/outbox.ts'

const test = apiTest({ env: { PROCESSOR_WAIT_MS: '100' } })
  .extend(
    'booking',
    ({ api }) =>
      (id: number) =>
        expectOk(api, school.dispatcher, 'GET', `/reservations/${id}`),
  )
  .extend(
    'bookings',
    ({ api }) =>
      async () =>
        (await api.core.database.db
          .selectFrom('reservation')
          .select('id')
          .where('organization_id', '=', school.organizationId)
          .execute()) as { id: number }[],
  )
  .extend('approved', ({ api }) => async (id: number, body: unknown = {}, who: Member = school.dispatcher) => {
    const response = await decide(api, who, id, 'approve', body)
    expect(response.statusCode, response.body).toBe(200)
    return response.json() as { data: { reservation: { id: number } }; warnings?: object[]; meetingError?: string }
  })
  .extend('refused', ({ api }) => async (id: number, body: unknown = {}) => {
    const response = await decide(api, school.dispatcher, id, 'approve', body)
    expect(response.statusCode, response.body).toBe(400)
    expect(await reading(api, school.dispatcher, id)).toMatchObject({ status: 'pending', decidedBy: null })
    return response.json() as { message: string; code?: string; details?: { problems: Problem[] } }
  })

let school: School
test.beforeEach(async ({ api }) => {
  school = await buildAskedSchool(api)
})

describe('an approval (§Booking requests, POST approve)', () => {
  test('creates the booking as it was requested, in the name of who approves', async ({ api, booking, approved }) => {
    const { id } = await asking(api, school, {
      title: 'Stalls',
      notes: 'Bring the checklist',
      timeZoneName: 'Asia/Tokyo',
    })
    const { data } = await approved(id)
    expect(data).toMatchObject({
      id,
      status: 'approved',
      decidedBy: { orgUserId: school.dispatcher.orgUserId, name: school.dispatcher.name },
      decidedAt: api.clock.now.toISOString(),
    })
    expect(await booking(data.reservation.id)).toMatchObject({
      title: 'Stalls',
      notes: 'Bring the checklist',
      timeZoneName: 'Asia/Tokyo',
      start: '2026-11-23T10:00:00.000Z',
      end: '2026-11-23T12:00:00.000Z',
      resource: { id: school.plane.id },
      createdBy: { orgUserId: school.dispatcher.orgUserId },
      personnel: {
        instructors: [{ orgUserId: school.instructor.orgUserId }],
        students: [{ orgUserId: school.student.orgUserId }],
      },
    })
  })

  test('may set another resource, place, instructor and title', async ({ api, booking, approved }) => {
    const plane = await buildPlane(api, school)
    const place = await buildLocation(api, school.organizationId)
    const other = await buildMember(api, school.organizationId, ['instructor'])
    const { id } = await asking(api, school)
    const { data } = await approved(id, {
      resource: { id: plane.id },
      location: { id: place.id },
      instructorOrgUserId: other.orgUserId,
      title: 'Stalls, again',
    })
    expect(await booking(data.reservation.id)).toMatchObject({
      title: 'Stalls, again',
      resource: { id: plane.id },
      location: { id: place.id },
      personnel: {
        instructors: [{ orgUserId: other.orgUserId }],
        students: [{ orgUserId: school.student.orgUserId }],
      },
    })
  })

  test('finds an instructor when nobody is named, or answers that one is missing', async ({
    api,
    approved,
    refused,
  }) => {
    const personnel = { students: [{ orgUserId: school.student.orgUserId }] }
    const { id } = await asking(api, school, { personnel })
    expect((await refused(id)).code).toBe('SIDE_LIMIT')
    await approved(id, { instructorOrgUserId: school.instructor.orgUserId })
  })

  test('may replace people, and the requester stays on the booking', async ({ api, booking, approved, refused }) => {
    const friend = await buildMember(api, school.organizationId, ['student'])
    const seat = ({ orgUserId }: Member) => ({ orgUserId })
    const instructors = [seat(school.instructor)]
    const { id } = await asking(api, school)
    const without = await refused(id, { personnel: { instructors, students: [seat(friend)] } })
    expect(without.message).toBe('personnel: the requester must be on the booking')
    const both = { personnel: { instructors }, instructorOrgUserId: school.instructor.orgUserId }
    expect((await refused(id, both)).message).toMatch(/^instructorOrgUserId: /)
    const students = [seat(friend), seat(school.student)]
    const { data } = await approved(id, { personnel: { instructors, students } })
    expect(await booking(data.reservation.id)).toMatchObject({ personnel: { students } })
  })

  test.for([
    ['a resource', { resource: { id: 2_000_000_000 } }, 'resource.id'],
    ['a location', { location: { id: 2_000_000_000 } }, 'location.id'],
    ['an instructor', { instructorOrgUserId: 2_000_000_000 }, 'instructorOrgUserId'],
  ] as const)('is refused by field name for %s that does not exist', async ([_, body, field], { api, refused }) => {
    const { id } = await asking(api, school)
    expect((await refused(id, body)).message.startsWith(`${field}: `)).toBe(true)
  })

  test('is refused for an instructor who lacks the role', async ({ api, refused }) => {
    const { id } = await asking(api, school)
    const { message } = await refused(id, { instructorOrgUserId: school.dispatcher.orgUserId })
    expect(message).toBe('instructorOrgUserId: the member is not an instructor')
  })

  test('checks every rule again: a slot that was taken in the meantime keeps the request pending until it is free', async ({
    api,
    approved,
    refused,
  }) => {
    const { id } = await asking(api, school)
    const other = await buildMember(api, school.organizationId, ['student'])
    const taken = await bookDual(api, school, { students: [other] })
    const { code, details } = await refused(id)
    expect(code).toBe('RESOURCE_CLASH')
    expect(details?.problems.map((problem) => [problem.code, problem.reservationId])).toEqual([
      ['RESOURCE_CLASH', taken],
      ['PERSON_CLASH', taken],
    ])
    await api.as(school.dispatcher).delete(`/reservations/${taken}`, { reason: 'Sick', category: 'illness' })
    await approved(id)
  })

  test('is refused while the aircraft is grounded, and possible on another', async ({ api, approved, refused }) => {
    const { id } = await asking(api, school)
    await expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, {
      grounded: true,
      reason: 'Flat tire',
    })
    expect((await refused(id)).code).toBe('RESOURCE_GROUNDED')
    await approved(id, { resource: { id: (await buildPlane(api, school)).id } })
  })

  test('of a request whose aircraft was deleted creates a booking without one', async ({ api, booking, approved }) => {
    const plane = await buildPlane(api, school)
    const { id } = await asking(api, school, { resource: { id: plane.id } })
    expect((await api.call('DELETE', `/resources/${plane.id}`, { token: school.admin.token })).statusCode).toBe(204)
    expect(await reading(api, school.student, id)).toMatchObject({ status: 'pending', resource: null })
    const { data } = await approved(id)
    expect(await booking(data.reservation.id)).toMatchObject({ resource: null })
  })

  test('notifies the requester of the approval and the others of the booking', async ({ api, approved }) => {
    const { id } = await asking(api, school)
    await clearOutbox(api)
    const { data } = await approved(id)
    const causedBy = school.dispatcher.orgUserId
    expect(await owedNotifications(api)).toEqual(
      expect.arrayContaining([
        { kind: 'reservation_created', subjectId: data.reservation.id, causedBy },
        { kind: 'booking_request_approved', subjectId: id, causedBy },
      ]),
    )
  })

  test('copies the link of a ground lesson to the booking', async ({ api, booking, approved }) => {
    const meetingUrl = 'https://meet.example.com/lesson-4'
    const { id } = await asking(api, school, { type: 'ground', resource: null, meetingUrl })
    const { data, meetingError, warnings } = await approved(id)
    expect(await booking(data.reservation.id)).toMatchObject({ meetingUrl })
    expect([meetingError, warnings]).toEqual([undefined, undefined])
  })

  test('needs no body, and a refusal does not either', async ({ api }) => {
    for (const decision of ['approve', 'reject']) {
      const { id } = await asking(api, school)
      const url = `/booking-requests/${id}/${decision}`
      expect((await api.call('POST', url, { token: school.admin.token })).statusCode).toBe(200)
    }
  })
})

describe('refusing a request (§Booking requests, POST reject)', () => {
  test('records the reason and creates no booking', async ({ api, bookings }) => {
    const { id } = await asking(api, school)
    await clearOutbox(api)
    const response = await decide(api, school.owner, id, 'reject', { reason: ' Not current ' })
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({ status: 'declined', reason: 'Not current', reservation: null })
    expect(await owedNotifications(api)).toEqual([
      { kind: 'booking_request_declined', subjectId: id, causedBy: school.owner.orgUserId },
    ])
    expect(await bookings()).toEqual([])
  })

  test('needs no reason, and takes one of 1,000 characters at most', async ({ api }) => {
    const { id } = await asking(api, school)
    expect((await decide(api, school.owner, id, 'reject', { reason: 'x'.repeat(1001) })).statusCode).toBe(400)
    expect((await decide(api, school.owner, id, 'reject')).json().data).toMatchObject({ reason: null })
  })
})

describe('a pending request (§Booking requests, POST cancel)', () => {
  test('is cancelled by its requester or by the desk, and by nobody else', async ({ api }) => {
    const [mine, theirs] = [await asking(api, school), await asking(api, school)]
    for (const who of [school.instructor, school.renter]) {
      expect((await decide(api, who, mine.id, 'cancel')).statusCode).toBe(404)
    }
    expect((await decide(api, school.student, mine.id, 'cancel')).json().data).toMatchObject({
      status: 'cancelled',
      decidedBy: { orgUserId: school.student.orgUserId },
    })
    expect((await decide(api, school.dispatcher, theirs.id, 'cancel')).json().data.status).toBe('cancelled')
  })

  test('is cancelled when its requester leaves', async ({ api }) => {
    const [student, going] = [school.student, await buildMember(api, school.organizationId, ['student'])]
    const decided = await asking(api, school)
    await decide(api, school.admin, decided.id, 'reject')
    const removed = await asking(api, school)
    const gone = await asking(api, school, {}, going)
    const seated = await asking(api, school, {}, await buildMember(api, school.organizationId, ['student']))
    expect((await api.call('DELETE', `/orgUsers/${student.orgUserId}`, { token: school.admin.token })).statusCode).toBe(
      204,
    )
    expect((await api.call('DELETE', '/users', { token: going.token })).statusCode).toBe(204)
    const status = async ({ id }: { id: number }) => (await reading(api, school.admin, id)).status
    expect(await Promise.all([decided, removed, gone, seated].map(status))).toEqual([
      'declined',
      'cancelled',
      'cancelled',
      'pending',
    ])
    expect(await reading(api, school.admin, removed.id)).toMatchObject({
      requester: { name: student.name },
      decidedBy: { orgUserId: school.admin.orgUserId },
    })
  })
})

test.for(['approve', 'cancel', 'reject'] as const)(
  'a decided request refuses to %s with 409',
  async (decision, { api, bookings }) => {
    const ids = [await asking(api, school), await asking(api, school), await asking(api, school)].map(({ id }) => id)
    for (const [at, first] of (['approve', 'cancel', 'reject'] as const).entries()) {
      expect((await decide(api, school.dispatcher, ids[at]!, first)).statusCode).toBe(200)
      const again = await decide(api, school.dispatcher, ids[at]!, decision)
      expect([again.statusCode, again.json().code]).toEqual([409, 'NOT_PENDING'])
    }
    expect(await bookings()).toHaveLength(1)
  },
)
