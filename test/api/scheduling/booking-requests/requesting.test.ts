import { describe, expect } from 'vitest'
import { seats } from '../../../support/booking.ts'
import { asking, buildAskedSchool, request, requestBody } from '../../../support/booking-requests.ts'
import {
  buildMember,
  buildRoom,
  buildSchool,
  buildSimulator,
  type Member,
  type School,
} from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { clearOutbox, owedNotifications } from '../../../support/outbox.ts'

const test = apiTest()
  .extend('refused', ({ api }) => async (body: unknown, who: Member = school.student) => {
    const response = await request(api, who, body)
    expect(response.statusCode, response.body).toBe(400)
    return response.json() as { message: string; code?: string; details?: { problems: { field: string }[] } }
  })
  .extend(
    'connect',
    ({ api }) =>
      (member: Member) =>
        api.core.database.db
          .insertInto('connected_account')
          .values({
            organization_id: member.organizationId,
            membership_id: member.orgUserId,
            provider: 'zoom',
            refresh_token: 'sealed',
            connected_at: api.clock.now,
          })
          .execute(),
  )

let school: School
test.beforeAll(async ({ api }) => {
  school = await buildAskedSchool(api, {})
})

describe('a member whose bookings need approval (§Booking requests, POST)', () => {
  test('makes a request and is answered what they asked for', async ({ api }) => {
    const body = requestBody(school, {
      title: ' Lesson 4: stalls ',
      timeZoneName: 'America/New_York',
      notes: 'Any instructor will do',
      location: { id: school.location.id },
      rating: { id: 1 },
    })
    const response = await request(api, school.student, body)
    expect(response.statusCode, response.body).toBe(201)
    expect(response.json().data).toMatchObject({
      status: 'pending',
      title: 'Lesson 4: stalls',
      type: 'dual',
      start: '2026-11-23T10:00:00.000Z',
      end: '2026-11-23T12:00:00.000Z',
      timeZoneName: 'America/New_York',
      notes: 'Any instructor will do',
      resource: { id: school.plane.id, name: school.plane.name, kind: 'plane', tailNumber: null },
      location: { id: school.location.id },
      rating: { id: 1, code: 'ASEL', name: 'Airplane single-engine land' },
      personnel: {
        instructors: [{ orgUserId: school.instructor.orgUserId, name: school.instructor.name }],
        students: [{ orgUserId: school.student.orgUserId, name: school.student.name }],
        renters: [],
        pilots: [],
        guests: [],
      },
      requester: { orgUserId: school.student.orgUserId, name: school.student.name },
      guest: null,
      decidedBy: null,
      reservation: null,
      meetingUrl: null,
      meeting: null,
      meetingError: null,
    })
  })

  test('need not give title, zone and themselves, which are filled in, nor an instructor, whom the desk finds', async ({
    api,
  }) => {
    const { start, end } = requestBody(school)
    const response = await request(api, school.student, { start, end, type: 'dual' })
    expect(response.json().data).toMatchObject({
      title: `Dual lesson: ${school.student.name}`,
      timeZoneName: 'UTC',
      resource: null,
      personnel: { instructors: [], students: [{ orgUserId: school.student.orgUserId }] },
    })
  })

  test('causes a notification to the desk', async ({ api }) => {
    await clearOutbox(api)
    const { id } = await asking(api, school)
    expect(await owedNotifications(api)).toEqual([
      { kind: 'booking_request_submitted', subjectId: id, causedBy: school.student.orgUserId },
    ])
  })

  test('may request what is taken, because a request holds nothing', async ({ api }) => {
    const other = await buildMember(api, school.organizationId, ['student'])
    const taken = { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' }
    await bookDual(api, school, { ...taken, students: [other] })
    await asking(api, school, taken)
    await bookDual(api, school, { start: '2026-11-23T10:00:00Z', end: '2026-11-23T12:00:00Z', students: [other] })
  })

  test('still cannot book at once', async ({ api }) => {
    const body = { ...requestBody(school), title: 'Lesson', timeZoneName: 'UTC' }
    const response = await api.as(school.student).post('/reservations', body)
    expect(response.statusCode).toBe(403)
    expect(response.json().message).toContain('booking request')
  })
})

describe('a request is refused', () => {
  test('where approval is not required', async ({ api, refused }) => {
    const free = await buildSchool(api, { settings: { approvalRequired: { student: false, renter: true } } })
    const { message } = await refused(requestBody(free), free.student)
    expect(message).toBe('Approval is not required: make the booking directly.')
    const { message: toDesk } = await refused(requestBody(school), school.dispatcher)
    expect(toDesk).toBe('Approval is not required: make the booking directly.')
    const both = await buildMember(api, school.organizationId, ['student', 'instructor'])
    expect((await refused(requestBody(school, {}, both), both)).message).toContain('make the booking directly')
  })

  test.for([
    ['a start in the past', { start: '2026-11-21T11:59:59Z', end: '2026-11-21T13:00:00Z' }, 'start'],
    ['an end before the start', { end: '2026-11-23T09:00:00Z' }, 'end'],
    ['an end at the start', { end: '2026-11-23T10:00:00Z' }, 'end'],
    ['a time without an offset', { start: '2026-11-23T10:00:00' }, 'start'],
    ['a zone that there is not', { timeZoneName: 'Mars/Olympus' }, 'timeZoneName'],
    ['more than sixty days', { end: '2027-01-23T10:00:00Z' }, 'end'],
    ['a title that is too long', { title: 'x'.repeat(201) }, 'title'],
    ['notes that are too long', { notes: 'x'.repeat(5001) }, 'notes'],
    ['an aircraft that there is not', { resource: { id: 2_000_000_000 } }, 'resource.id'],
    ['a location that there is not', { location: { id: 2_000_000_000 } }, 'location.id'],
    ['a rating that there is not', { rating: { id: 99 } }, 'rating.id'],
    [
      'a member who is not there',
      { personnel: { instructors: [{ orgUserId: 2_000_000_000 }], students: [] } },
      'personnel.instructors.0.orgUserId',
    ],
  ] as const)('when its body has an error: %s', async ([_, extra, field], { refused }) => {
    expect((await refused(requestBody(school, extra))).message).toMatch(
      new RegExp(`^${field.replaceAll('.', '\\.')}: `),
    )
  })

  test('for a type that the roles do not allow, with the code of the rule', async ({ refused }) => {
    const { code } = await refused(
      requestBody(school, { type: 'rental', personnel: seats({ renters: [school.student] }) }),
    )
    expect(code).toBe('TYPE_NOT_ALLOWED')
  })

  test('for seats that no desk could approve', async ({ refused }) => {
    const solo = requestBody(school, { type: 'solo' })
    const { code, details } = await refused(solo)
    expect(code).toBe('SIDE_LIMIT')
    expect(details?.problems.map(({ field }) => field)).toContain('personnel.instructors')
    const wrongSide = requestBody(school, {
      personnel: seats({ instructors: [school.renter], students: [school.student] }),
    })
    expect((await refused(wrongSide)).message).toContain('has none of the roles for this side')
  })

  test('for a kind of resource that the type does not take', async ({ api, refused }) => {
    const simulator = await buildSimulator(api, school)
    expect((await refused(requestBody(school, { resource: { id: simulator.id } }))).message).toContain('takes a plane')
  })

  test('when the requester is not on it', async ({ api, refused }) => {
    const other = await buildMember(api, school.organizationId, ['student'])
    const { message } = await refused(requestBody(school, {}, other))
    expect(message).toBe('personnel: you can only request bookings that you are on')
  })
})

describe('the call of a ground lesson (§Booking requests)', () => {
  const ground = (extra: Record<string, unknown>) => requestBody(school, { type: 'ground', resource: null, ...extra })

  test('may be an existing link, which needs no room and may have one', async ({ api }) => {
    const meetingUrl = 'https://meet.example.com/lesson-4'
    const made = await expectOk(api, school.student, 'POST', '/booking-requests', ground({ meetingUrl }))
    expect(made).toMatchObject({ meetingUrl, meeting: null, resource: null })
    const room = await buildRoom(api, school)
    await expectOk(api, school.student, 'POST', '/booking-requests', ground({ meetingUrl, resource: { id: room.id } }))
  })

  test.for([
    'http://meet.example.com/lesson-4',
    'https://127.0.0.1/lesson',
    'https://2130706433/lesson',
    'https://0x7f.0.0.1/lesson',
    'https://[::ffff:10.0.0.1]/lesson',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/lesson',
    'https://desk@meet.example.com/lesson',
    `https://meet.example.com/${'x'.repeat(2000)}`,
  ])('is refused at %s', async (meetingUrl, { refused }) => {
    expect((await refused(ground({ meetingUrl }))).message).toMatch(/^meetingUrl: /)
  })

  test('is for ground lessons only, and is either a link or a call to create', async ({ refused }) => {
    const meetingUrl = 'https://meet.example.com/lesson-4'
    const meeting = { provider: 'zoom', topic: 'Airspace' }
    expect((await refused(requestBody(school, { meetingUrl }))).message).toBe('meetingUrl: is for ground lessons only')
    expect((await refused(requestBody(school, { meeting }))).message).toBe('meeting: is for ground lessons only')
    expect((await refused(ground({ meetingUrl, meeting }))).message).toMatch(/^meeting: /)
    expect((await refused(ground({ meeting: { ...meeting, provider: 'pigeon' } }))).message).toMatch(
      /^meeting.provider/,
    )
  })

  test('is created with an account of the instructor or else of the requester, and refused without one', async ({
    api,
    refused,
    connect,
  }) => {
    const meeting = { provider: 'zoom' }
    expect((await refused(ground({ meeting }))).message).toMatch(/^meeting\.provider: neither/)
    await connect(school.dispatcher)
    await refused(ground({ meeting }))
    await connect(school.student)
    const mine = await expectOk(api, school.student, 'POST', '/booking-requests', ground({ meeting }))
    expect(mine).toMatchObject({ meeting: { provider: 'zoom', topic: `Ground lesson: ${school.student.name}` } })
    const other = await buildMember(api, school.organizationId, ['student'])
    const theirs = requestBody(school, { type: 'ground', resource: null, meeting }, other)
    await refused(theirs, other)
    await connect(school.instructor)
    await expectOk(api, other, 'POST', '/booking-requests', theirs)
  })
})
