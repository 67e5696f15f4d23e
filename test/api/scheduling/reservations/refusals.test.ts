import { describe, expect } from 'vitest'
import type { OrganizationSettings } from '../../../../src/shared/platform/authz/organization-settings.ts'
import { book, bookingBody, refusedBooking, seats } from '../../../support/booking.ts'
import {
  buildMember,
  buildRoom,
  buildSchool,
  buildSimulator,
  type School,
  writeSettings,
} from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { buildGuest } from '../../../support/records.ts'

const test = apiTest({ env: { PROCESSOR_WAIT_MS: '0' } }).extend(
  'withSettings',
  ({ api }) =>
    async (settings: Partial<OrganizationSettings>): Promise<School> => {
      school = await buildSchool(api, { settings })
      return school
    },
)

let school: School
test.beforeEach(async ({ api }) => {
  school = await buildSchool(api)
})

const codes = (problems: { code: string }[]) => problems.map(({ code }) => code)

describe('a booking is refused (§Reservations rules 2 to 6)', () => {
  test('with RESOURCE_CLASH, naming the aircraft and the other booking', async ({ api }) => {
    const other = await bookDual(api, school)
    const body = bookingBody(school, 'rental', { personnel: seats({ renters: [school.renter] }) })
    expect(await refusedBooking(api, school.renter, body)).toEqual([
      {
        rule: 'resource_clash',
        code: 'RESOURCE_CLASH',
        overridable: false,
        field: 'resource',
        message: `${school.plane.name} is already booked 10:00–12:00 (reservation ${other})`,
        resourceId: school.plane.id,
        reservationId: other,
      },
    ])
  })

  test('with PERSON_CLASH, naming everyone', async ({ api }) => {
    const other = await bookDual(api, school)
    const problems = await refusedBooking(api, school.admin, dualBody(school, { extra: { resource: undefined } }))
    expect(problems).toMatchObject([
      { code: 'PERSON_CLASH', orgUserId: school.instructor.orgUserId, reservationId: other },
      { code: 'PERSON_CLASH', orgUserId: school.student.orgUserId, reservationId: other },
    ])
  })

  test('with PERSON_CLASH for a guest, by id or by a known address', async ({ api }) => {
    const guestId = await buildGuest(api, school, 'gia@example.com')
    const guestFlight = (guest: object, instructor = school.instructor) =>
      bookingBody(school, 'guest', {
        resource: undefined,
        personnel: { ...seats({ instructors: [instructor] }), guests: [guest] },
      })
    const made = await expectOk<{ id: number }>(
      api,
      school.instructor,
      'POST',
      '/reservations',
      guestFlight({ guestId }),
    )
    const second = await buildMember(api, school.organizationId, ['instructor'])
    for (const guest of [{ guestId }, { name: 'G. Visitor', email: 'GIA@example.com' }]) {
      expect(await refusedBooking(api, second, guestFlight(guest, second))).toMatchObject([
        { code: 'PERSON_CLASH', field: 'personnel.guests', reservationId: made.id },
      ])
    }
  })

  test('with RESOURCE_GROUNDED, unless it is maintenance', async ({ api }) => {
    const grounding = { grounded: true, reason: 'Annual due' }
    await expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, grounding)
    expect(await refusedBooking(api, school.dispatcher, dualBody(school))).toMatchObject([
      { code: 'RESOURCE_GROUNDED', message: `${school.plane.name} is grounded: Annual due` },
    ])
    expect((await book(api, school.technician, bookingBody(school, 'maintenance'))).statusCode).toBe(201)
  })

  test('with PERSON_GROUNDED when somebody on it is grounded', async ({ api }) => {
    const grounded = { grounded: true, groundedReason: 'Medical' }
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, grounded)
    expect(await refusedBooking(api, school.dispatcher, dualBody(school))).toMatchObject([
      { code: 'PERSON_GROUNDED', orgUserId: school.student.orgUserId, field: 'personnel.students' },
    ])
  })

  test('with NOT_ELIGIBLE and no more, to a renter about somebody else, for a booking and for a request', async ({
    api,
  }) => {
    const { renter, admin, organizationId } = school
    const other = await buildMember(api, organizationId, ['renter'])
    await expectOk(api, admin, 'PATCH', `/orgUsers/${other.orgUserId}`, { grounded: true, groundedReason: 'Epilepsy' })
    const body = bookingBody(school, 'shared', {
      personnel: seats({ pilots: [renter, other] }),
    })
    const veiled = { field: 'personnel.pilots', orgUserId: other.orgUserId, rule: 'eligibility' }
    const response = await book(api, renter, body)
    expect(response.json()).toMatchObject({
      message: `${other.name} cannot be booked for this`,
      code: 'NOT_ELIGIBLE',
      details: { problems: [{ code: 'NOT_ELIGIBLE', ...veiled }] },
    })
    const checked = await api.as(renter).post('/reservations/check', body)
    expect(checked.json().data.problems).toMatchObject([{ code: 'NOT_ELIGIBLE', details: veiled }])
    expect(response.body + checked.body).not.toMatch(/grounded|Epilepsy/i)
    expect((await book(api, admin, body)).json().message).toBe(`${other.name} is grounded: Epilepsy`)
  })

  test('with NOT_AVAILABLE during time off and outside the weekly pattern', async ({ api }) => {
    const absence = { start: '2026-11-23T11:00:00Z', end: '2026-11-23T18:00:00Z' }
    await expectOk(api, school.student, 'POST', '/availability/timeOff', absence)
    // Tuesdays alone; 23 November 2026 is a Monday.
    const availability = [{ dayOfWeek: 2, startMinute: 480, endMinute: 1200 }]
    await expectOk(api, school.instructor, 'PATCH', '/users/availability', { availability })
    expect(await refusedBooking(api, school.dispatcher, dualBody(school))).toMatchObject([
      { code: 'NOT_AVAILABLE', orgUserId: school.instructor.orgUserId },
      { code: 'NOT_AVAILABLE', orgUserId: school.student.orgUserId },
    ])
  })

  test('with OUTSIDE_HOURS outside the organization’s flying day, unless the aircraft has its own', async ({
    api,
    withSettings,
  }) => {
    await withSettings({ flyingDayStartMinute: 660, flyingDayEndMinute: 1200 })
    expect(await refusedBooking(api, school.dispatcher, dualBody(school))).toMatchObject([
      { code: 'OUTSIDE_HOURS', field: 'start' },
    ])
    await api.core.database.db
      .updateTable('resource')
      .set({ flying_day_start_minute: 600, flying_day_end_minute: 720 })
      .where('id', '=', school.plane.id)
      .execute()
    expect((await book(api, school.dispatcher, dualBody(school))).statusCode).toBe(201)
  })

  test('with NOT_APPROVED where the organization asks for approval, until there is one', async ({
    api,
    withSettings,
  }) => {
    await withSettings({ aircraftApprovalRequired: true })
    const solo = bookingBody(school, 'solo', { personnel: seats({ students: [school.student] }) })
    expect(await refusedBooking(api, school.dispatcher, solo)).toMatchObject([
      {
        rule: 'aircraft_approval',
        code: 'NOT_APPROVED',
        orgUserId: school.student.orgUserId,
        resourceId: school.plane.id,
        fix: { action: 'ask_approval', resourceId: school.plane.id },
      },
    ])
    await expectOk(api, school.admin, 'POST', `/resources/${school.plane.id}/approve`, {
      userId: school.student.accountId,
    })
    expect((await book(api, school.dispatcher, solo)).statusCode).toBe(201)
  })

  test('with TYPE_NOT_ALLOWED for a type that the caller may not create', async ({ api }) => {
    const problems = await refusedBooking(api, school.renter, bookingBody(school, 'maintenance'))
    expect(problems).toMatchObject([{ code: 'TYPE_NOT_ALLOWED', field: 'type' }])
  })

  test('with SIDE_LIMIT, naming the side and the number', async ({ api }) => {
    const students = await Promise.all([1, 2, 3, 4, 5].map(() => buildMember(api, school.organizationId, ['student'])))
    expect(await refusedBooking(api, school.dispatcher, dualBody(school, { students }))).toMatchObject([
      {
        code: 'SIDE_LIMIT',
        field: 'personnel.students',
        message: 'personnel.students: at most 4 students on a dual booking, 5 given',
      },
    ])
  })

  test('for everything at once, with the code of the first problem', async ({ api, withSettings }) => {
    await withSettings({ aircraftApprovalRequired: true, flyingDayStartMinute: 660, flyingDayEndMinute: 700 })
    await bookDual(api, school, {
      extra: { resource: undefined, start: '2026-11-23T11:01:00Z', end: '2026-11-23T11:30:00Z' },
    })
    await expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, {
      grounded: true,
      reason: 'Tyre',
    })
    const solo = bookingBody(school, 'solo', { personnel: seats({ students: [school.student] }) })
    expect(codes(await refusedBooking(api, school.dispatcher, solo))).toEqual([
      'PERSON_CLASH',
      'RESOURCE_GROUNDED',
      'OUTSIDE_HOURS',
      'OUTSIDE_HOURS',
      'NOT_APPROVED',
    ])
  })

  test.for([
    [
      'a person on two seats',
      () => seats({ instructors: [school.instructor], students: [school.student, school.student] }),
    ],
    [
      'a role that does not fit the seat',
      () => seats({ instructors: [school.student], students: [school.instructor] }),
    ],
  ] as const)('for the seats of its type: %s', async ([_what, personnel], { api }) => {
    const problems = await refusedBooking(
      api,
      school.dispatcher,
      bookingBody(school, 'dual', { personnel: personnel() }),
    )
    expect(new Set(codes(problems))).toEqual(new Set(['INVALID']))
  })

  test('for a resource of another kind', async ({ api }) => {
    const room = await buildRoom(api, school)
    const problems = await refusedBooking(
      api,
      school.dispatcher,
      dualBody(school, { extra: { resource: { id: room.id } } }),
    )
    expect(problems[0]?.message).toBe(`resource: a dual booking takes a plane; ${room.name} is a room`)
  })
})

describe('a booking on the ground (§Reservations)', () => {
  test('takes a room or none, and one in a simulator takes the simulator', async ({ api }) => {
    const room = await buildRoom(api, school)
    const simulator = await buildSimulator(api, school)
    const lesson = seats({ instructors: [school.instructor], students: [school.student] })
    const ground = bookingBody(school, 'ground', { personnel: lesson, resource: { id: room.id } })
    expect((await book(api, school.instructor, ground)).json().data.resource.id).toBe(room.id)
    const later = { start: '2026-11-23T12:00:00Z', end: '2026-11-23T13:00:00Z', resource: null }
    expect((await book(api, school.student, { ...ground, ...later })).json().data).toMatchObject({
      resource: null,
      location: null,
    })
    const sim = bookingBody(school, 'sim', {
      start: '2026-11-23T13:00:00Z',
      end: '2026-11-23T14:00:00Z',
      personnel: seats({ students: [school.student] }),
      resource: { id: simulator.id },
    })
    expect((await book(api, school.student, sim)).statusCode).toBe(201)
  })
})

describe('the maker of a booking (§Reservations rule 2)', () => {
  test('is refused with 403 as a student or renter without a seat on it', async ({ api }) => {
    const other = await buildMember(api, school.organizationId, ['student'])
    const response = await book(api, other, dualBody(school))
    expect(response.statusCode).toBe(403)
    expect(response.json().message).toBe('You can only make bookings that you are on yourself.')
  })

  test('is refused with 403 and pointed to booking requests where approval is required', async ({
    api,
    withSettings,
  }) => {
    await withSettings({ approvalRequired: { student: true, renter: false } })
    const response = await book(api, school.student, dualBody(school))
    expect(response.statusCode).toBe(403)
    expect(response.json().message).toContain('booking request')
    expect((await book(api, school.dispatcher, dualBody(school))).statusCode).toBe(201)
  })

  test('may not start it in the past as a student, and may record a past flight as staff', async ({ api }) => {
    const past = { start: '2026-11-20T10:00:00Z', end: '2026-11-20T12:00:00Z' }
    expect(await refusedBooking(api, school.student, dualBody(school, past))).toMatchObject([{ field: 'start' }])
    expect((await book(api, school.instructor, dualBody(school, past))).statusCode).toBe(201)
  })
})

describe('the times of a booking (§Conventions that hold across the interface)', () => {
  test.for([
    ['no length', '2026-11-23T10:00:00Z', '2026-11-23T10:00:00Z', 'end: must be after start'],
    ['an end before the start', '2026-11-23T10:00:00Z', '2026-11-23T09:00:00Z', 'end: must be after start'],
    ['400 days', '2026-11-23T10:00:00Z', '2027-12-28T10:00:00Z', 'end: a dual booking lasts at most 60 days'],
    ['a local time', '2026-11-23T10:00:00', '2026-11-23T12:00:00Z', 'start: must carry a UTC offset or Z'],
    ['a date', '2026-11-23', '2026-11-23T12:00:00Z', 'start: must be a date and time'],
    ['a day that is not there', '2026-11-31T10:00:00Z', '2026-12-01T12:00:00Z', 'start: must be a date and time'],
  ] as const)('are refused: %s', async ([_what, start, end, message], { api }) => {
    const response = await book(api, school.dispatcher, dualBody(school, { start, end }))
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(message)
  })

  test('are refused in an unknown zone', async ({ api }) => {
    for (const timeZoneName of ['Mars/Olympus', '+02:00', 'PST8', '']) {
      const response = await book(api, school.dispatcher, dualBody(school, { extra: { timeZoneName } }))
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toMatch(/^timeZoneName: /)
    }
  })

  test('may span 60 days to the minute, and a year for maintenance', async ({ api }) => {
    const sixty = { start: '2026-11-23T10:00:00Z', end: '2027-01-22T10:00:00Z' }
    expect((await book(api, school.dispatcher, dualBody(school, sixty))).statusCode).toBe(201)
    const year = { start: '2027-02-01T00:00:00Z', end: '2028-02-02T00:00:00Z' }
    expect((await book(api, school.technician, bookingBody(school, 'maintenance', year))).statusCode).toBe(201)
    const longer = { start: '2029-02-01T00:00:00Z', end: '2030-02-02T00:00:01Z' }
    const problems = await refusedBooking(api, school.technician, bookingBody(school, 'maintenance', longer))
    expect(problems).toMatchObject([{ field: 'end', message: 'end: a maintenance booking lasts at most 366 days' }])
  })
})

describe('an id of another organization in a booking is refused by field name', () => {
  test.for([
    ['resource.id', (other: School) => ({ resource: { id: other.plane.id } })],
    ['location.id', (other: School) => ({ location: { id: other.location.id } })],
    [
      'personnel.instructors.0.orgUserId',
      (other: School) => ({ personnel: seats({ instructors: [other.instructor], students: [school.student] }) }),
    ],
    [
      'personnel.students.1.orgUserId',
      (other: School) => ({
        personnel: seats({ instructors: [school.instructor], students: [school.student, other.student] }),
      }),
    ],
  ] as const)('as %s', async ([field, extra], { api }) => {
    const other = await buildSchool(api)
    const response = await book(api, school.dispatcher, dualBody(school, { extra: extra(other) }))
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(new RegExp(`^${field}: there is no such`))
  })

  test('as the id of a guest', async ({ api }) => {
    const guestId = await buildGuest(api, await buildSchool(api), null)
    const personnel = { ...seats({ instructors: [school.instructor] }), guests: [{ guestId }] }
    const response = await book(api, school.dispatcher, bookingBody(school, 'guest', { personnel }))
    expect(response.json().message).toBe('personnel.guests.0.guestId: there is no such guest')
  })

  test('as an id that no record could have', async ({ api }) => {
    for (const id of [0, -1, 1.5, 2_147_483_648, 1e21, '1', null]) {
      const response = await book(api, school.dispatcher, dualBody(school, { extra: { location: { id } } }))
      expect(response.statusCode, String(id)).toBe(400)
      expect(response.json().message).toMatch(/^location\.id: /)
    }
  })

  test('as a member who has left', async ({ api }) => {
    await api.as(school.admin).delete(`/orgUsers/${school.student.orgUserId}`)
    const response = await book(api, school.dispatcher, dualBody(school))
    expect(response.json().message).toBe('personnel.students.0.orgUserId: there is no such member')
  })
})

describe('a prepaid booking (§Reservations rule 7)', () => {
  test('is refused with 403 to an account whose address is not verified', async ({ api }) => {
    const unverified = { email_verified_at: null }
    const { accountId } = school.dispatcher
    await api.core.database.db.updateTable('account').set(unverified).where('id', '=', accountId).execute()
    const extra = { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 5_000 }
    const response = await book(api, school.dispatcher, dualBody(school, { extra }))
    expect([response.statusCode, response.json().code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
    expect((await book(api, school.dispatcher, dualBody(school))).statusCode).toBe(201)
  })

  test('is made by desk staff and instructors, and anybody else who sets a price gets 403', async ({ api }) => {
    const body = dualBody(school, { extra: { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 5_000 } })
    const refused = await book(api, school.student, body)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      403,
      {
        code: 'PREPAID_BY_STAFF',
        message: 'Only desk staff and instructors can make a booking that is paid in advance.',
      },
    ])
    const checked = await api.as(school.student).post('/reservations/check', body)
    expect(checked.json().data).toMatchObject({ ok: false, problems: [{ code: 'PREPAID_BY_STAFF' }] })
    expect((await book(api, school.student, dualBody(school))).statusCode).toBe(201)
  })

  test('is made by anyone where the organization says so', async ({ api }) => {
    const body = dualBody(school, { extra: { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 5_000 } })
    await writeSettings(api, school.organizationId, { prepaidBy: 'anyone' })
    const booked = await book(api, school.student, body)
    expect(booked.statusCode).toBe(201)
    const url = `/reservations/${booked.json().data.id}/prepaid/record-offline`
    const paid = await api.as(school.student).post(url, { method: 'cash' })
    expect([paid.statusCode, paid.json().message]).toEqual([
      403,
      'Only desk staff and instructors can record a payment by cash or check.',
    ])
  })

  test.for([
    ['without an amount', {}, 'prepaidAmountCents: must be at least 50 for a prepaid booking'],
    ['for 49 cents', { prepaidAmountCents: 49 }, 'prepaidAmountCents: must be at least 50'],
    [
      'of a series',
      { prepaidAmountCents: 5000, recurrence: { frequency: 'weekly', count: 2 } },
      'collectionStyle: a recurring series cannot be prepaid',
    ],
    [
      'of maintenance',
      { prepaidAmountCents: 5000, type: 'maintenance', personnel: {} },
      'collectionStyle: maintenance cannot be prepaid',
    ],
  ] as const)('is refused with %s', async ([_what, extra, message], { api }) => {
    const body = dualBody(school, { extra: { collectionStyle: 'prepaid_fixed', ...extra } })
    const response = await book(api, school.dispatcher, body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(message)
  })
})
