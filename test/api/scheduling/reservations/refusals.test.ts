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

const test = apiTest().extend(
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
})

describe('the times of a booking (§Conventions that hold across the interface)', () => {
  test.for([
    ['an end before the start', '2026-11-23T10:00:00Z', '2026-11-23T09:00:00Z', 'end: must be after start'],
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
})

describe('an id in a booking is refused by field name', () => {
  test('as that of a guest of another organization', async ({ api }) => {
    const guestId = await buildGuest(api, await buildSchool(api), null)
    const personnel = { ...seats({ instructors: [school.instructor] }), guests: [{ guestId }] }
    const response = await book(api, school.dispatcher, bookingBody(school, 'guest', { personnel }))
    expect(response.json().message).toBe('personnel.guests.0.guestId: there is no such guest')
  })

  test('as one that no record could have', async ({ api }) => {
    for (const id of [0, -1, 1.5, 2_147_483_648, 1e21, '1', null]) {
      const response = await book(api, school.dispatcher, dualBody(school, { extra: { location: { id } } }))
      expect(response.statusCode, String(id)).toBe(400)
      expect(response.json().message).toMatch(/^location\.id: /)
    }
  })

  test('as that of a member who has left', async ({ api }) => {
    await api.as(school.admin).delete(`/orgUsers/${school.student.orgUserId}`)
    const response = await book(api, school.dispatcher, dualBody(school))
    expect(response.json().message).toBe('personnel.students.0.orgUserId: there is no such member')
  })
})

describe('a prepaid booking (§Reservations rule 7)', () => {
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
