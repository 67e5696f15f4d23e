import { describe, expect, test } from 'vitest'
import { requestProblems } from '../../../src/shared/scheduling/booking-requests/request.rules.ts'
import type { BookingFacts, BookingLimits } from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import { at, facts, member, problemsOf, roles, settings, times } from './booking-facts.ts'

const none = { student: null, renter: null, instructor: null, technician: null }
const BEN = 2

/** A dual of two hours at 10:00 on Tuesday, 2 June 2026, booked by Ben; now is Monday, 08:00. */
function asked(limits: BookingLimits, over: Partial<BookingFacts> = {}): BookingFacts {
  return facts({
    actor: { orgUserId: BEN, roles: roles('student') },
    settings: settings({ bookingLimits: { ...none, student: limits } }),
    ...over,
  })
}

const found = (given: BookingFacts) => problemsOf(given).map(({ code, field, message }) => [code, field, message])

const other = (start: string, hours: number, more: object = {}) => ({
  reservationId: 7,
  open: true,
  start: at(start),
  end: new Date(at(start).getTime() + hours * 3_600_000),
  ...more,
})

describe('the limits of one’s own bookings (interface §Booking rules)', () => {
  test.each([
    [{ maxDaysAhead: 1 }, []],
    [{ maxDaysAhead: 0 }, [['BOOKING_LIMIT', 'start', 'start: you can book at most 0 days ahead']]],
    // From Monday 08:00 to Tuesday 10:00 are 26 hours.
    [{ minNoticeMinutes: 26 * 60 }, []],
    [{ minNoticeMinutes: 26 * 60 + 1 }, [['BOOKING_LIMIT', 'start', 'start: you must book 1561 minutes ahead']]],
    [{ maxMinutes: 120 }, []],
    [{ maxMinutes: 60 }, [['BOOKING_LIMIT', 'end', 'end: your bookings last at most 60 minutes']]],
    [{ maxMinutes: null }, []],
  ] as const)('are those of the role: %j', (limits, expected) => {
    expect(found(asked(limits))).toEqual(expected)
  })

  test('count the open bookings that the caller sits on, but not the one that is moved', () => {
    const callerBookings = [
      other('2026-06-10T14:00:00Z', 1),
      other('2026-06-11T14:00:00Z', 1, { reservationId: 8 }),
      other('2026-05-30T14:00:00Z', 1, { reservationId: 9, open: false }),
    ]
    const full = [['BOOKING_LIMIT', 'personnel', 'You can have at most 2 open bookings']]
    expect(found(asked({ maxOpenBookings: 3 }, { callerBookings }))).toEqual([])
    expect(found(asked({ maxOpenBookings: 2 }, { callerBookings }))).toEqual(full)
    expect(found(asked({ maxOpenBookings: 2 }, { callerBookings, booking: times({ id: 8 }) }))).toEqual([])
  })

  test('count the hours of the local week, Monday to Sunday', () => {
    // New York is UTC-4: Sunday, 31 May ends at 04:00Z on Monday; the week ends at 04:00Z on 8 June.
    const callerBookings = [
      other('2026-06-01T03:59:00Z', 10),
      other('2026-06-01T04:00:00Z', 3, { open: false }),
      other('2026-06-08T03:59:00Z', 1),
      other('2026-06-08T04:00:00Z', 10),
    ]
    expect(found(asked({ maxHoursPerWeek: 6 }, { callerBookings }))).toEqual([])
    expect(found(asked({ maxHoursPerWeek: 5 }, { callerBookings }))).toEqual([
      ['BOOKING_LIMIT', 'personnel', 'You can book at most 5 hours a week'],
    ])
  })

  test('of several roles are the most generous of each figure, where none is the most generous', () => {
    const bookingLimits = {
      ...none,
      student: { maxMinutes: 60, maxDaysAhead: 0 },
      renter: { maxMinutes: 120, minNoticeMinutes: 10_000 },
    }
    const both = { orgUserId: BEN, roles: roles('student', 'renter') }
    expect(found(asked({}, { settings: settings({ bookingLimits }), actor: both }))).toEqual([])
    const student = { orgUserId: BEN, roles: roles('student') }
    expect(found(asked({}, { settings: settings({ bookingLimits }), actor: student }))).toHaveLength(2)
  })

  test('are asked neither of desk staff nor of who is not on the booking', () => {
    const tight = { maxMinutes: 1 }
    expect(found(asked(tight, { actor: { orgUserId: BEN, roles: roles('student', 'dispatcher') } }))).toEqual([])
    const seats = [member('instructors', 1, 'Ana Ruiz'), member('students', 5, 'Sofia Marin')]
    expect(found(asked(tight, { seats }))).toEqual([])
  })

  test('on when and how long are asked of a booking request, not those on how much', () => {
    const callerBookings = [other('2026-06-10T14:00:00Z', 1)]
    const given = asked({ maxDaysAhead: 0, maxMinutes: 60, maxOpenBookings: 1 }, { callerBookings })
    expect(requestProblems(given).map(({ field }) => field)).toEqual(['start', 'end'])
  })
})
