import { describe, expect, test } from 'vitest'
import {
  approvedSeats,
  bookingRequestStatuses,
  isOnIt,
  refusalIn,
  statusAfter,
} from '../../../src/shared/scheduling/booking-requests/booking-request.states.ts'
import { decisionMessage } from '../../../src/shared/scheduling/booking-requests/decision-message.rules.ts'
import { approvalPolicy } from '../../../src/shared/scheduling/booking-requests/policy.rules.ts'
import {
  defaultTitle,
  requesterSeat,
  requestProblems,
} from '../../../src/shared/scheduling/booking-requests/request.rules.ts'
import type { SeatInput } from '../../../src/shared/scheduling/rules/booking-input.types.ts'
import { at, facts, member, plane, roles, times } from './booking-facts.ts'

describe('a booking request (§Booking request)', () => {
  test('is decided once, while it is pending, and a guest’s request must be confirmed first', () => {
    const table = (['confirm', 'approve', 'reject', 'cancel'] as const).map((trigger) => [
      trigger,
      bookingRequestStatuses.map((status) => statusAfter(trigger, status)),
    ])
    // In the order: awaiting confirmation, pending, approved, declined, cancelled.
    expect(table).toEqual([
      ['confirm', ['pending', null, null, null, null]],
      ['approve', [null, 'approved', null, null, null]],
      ['reject', [null, 'declined', null, null, null]],
      ['cancel', [null, 'cancelled', null, null, null]],
    ])
  })

  test('answers why it cannot be decided', () => {
    expect(refusalIn('declined').message).toBe('This request is declined already.')
    expect(refusalIn('awaiting_confirmation').message).toBe('The guest has not confirmed this request yet.')
  })

  test('is named after its type and its requester', () => {
    expect(defaultTitle('dual', 'Ana Ruiz')).toBe('Dual lesson: Ana Ruiz')
    expect(defaultTitle('rental', 'x'.repeat(300))).toHaveLength(200)
  })

  test('seats its requester on the side that is billed', () => {
    expect(requesterSeat('dual', 7)).toEqual([{ side: 'students', index: 0, orgUserId: 7 }])
    expect(requesterSeat('rental', 7)).toEqual([{ side: 'renters', index: 0, orgUserId: 7 }])
    expect(requesterSeat('shared', 7)).toEqual([{ side: 'pilots', index: 0, orgUserId: 7 }])
    expect(requesterSeat('maintenance', 7)).toEqual([])
  })
})

describe('a new booking request (§Booking requests)', () => {
  const ana = member('instructors', 1, 'Ana Ruiz')
  const ben = member('students', 2, 'Ben Okafor')
  const asked = (over: Parameters<typeof facts>[0] = {}) =>
    requestProblems(facts({ actor: { orgUserId: 2, roles: roles('student') }, seats: [ana, ben], ...over }))
  const codes = (over: Parameters<typeof facts>[0]) => asked(over).map(({ code, field }) => `${code} ${field}`)

  test('is not refused for what may be over when the desk decides', () => {
    const taken = [{ reservationId: 1, start: at('2026-01-01T00:00:00Z'), end: at('2027-01-01T00:00:00Z') }]
    const grounded = plane({ grounded: true, taken })
    expect(asked({ resource: grounded, seats: [{ ...ana, taken }, ben] })).toEqual([])
  })

  test('needs no instructor, because the desk finds one', () => {
    expect(asked({ seats: [ben] })).toEqual([])
  })

  test('is refused for too many people on a side and for a second instructor', () => {
    const cem = member('instructors', 3, 'Cem Aydin')
    expect(codes({ seats: [ana, cem, ben] })).toEqual(['SIDE_LIMIT personnel.instructors'])
    expect(codes({ booking: times({ type: 'solo' }), seats: [ana, ben] })).toContain('SIDE_LIMIT personnel.instructors')
  })

  test('is refused for a start that has passed, whoever requests it', () => {
    const booking = times({ start: at('2026-05-01T10:00:00Z'), end: at('2026-05-01T12:00:00Z') })
    const now = at('2026-05-01T10:00:00.001Z')
    expect(codes({ booking, now })).toEqual(['INVALID start'])
    const flown = { orgUserId: 2, roles: roles('student', 'instructor') }
    expect(codes({ booking, now, actor: flown })).toEqual(['INVALID start'])
    expect(codes({ booking, now: booking.start })).toEqual([])
  })

  test('is refused for a type that the roles of the requester do not allow', () => {
    expect(codes({ actor: { orgUserId: 2, roles: roles('renter') } })).toEqual(['TYPE_NOT_ALLOWED type'])
  })

  test('is refused when the requester is not on it', () => {
    expect(codes({ actor: { orgUserId: 9, roles: roles('student') } })).toEqual(['INVALID personnel'])
  })
})

describe('the booking policy of a member (§Booking requests)', () => {
  const both = { student: true, renter: true }

  test('asks students, renters or nobody for approval', () => {
    const student = { types: ['solo', 'dual', 'ground', 'sim'], roles: ['student'] }
    expect(approvalPolicy(roles('student'), both)).toEqual(student)
    expect(approvalPolicy(roles('student'), { student: false, renter: true })).toEqual({ types: [], roles: [] })
    expect(approvalPolicy(roles('renter'), both)).toEqual({ types: ['shared', 'rental'], roles: ['renter'] })
  })

  test('needs no approval for what another role of the member books at once', () => {
    expect(approvalPolicy(roles('student', 'dispatcher'), both)).toEqual({ types: [], roles: [] })
    // An instructor books lessons at once, but no rentals.
    expect(approvalPolicy(roles('student', 'renter', 'instructor'), both)).toEqual({
      types: ['shared', 'rental'],
      roles: ['renter'],
    })
  })
})

describe('the seats of an approved request (§Booking requests)', () => {
  const instructor: SeatInput = { side: 'instructors', index: 0, orgUserId: 1 }
  const student: SeatInput = { side: 'students', index: 0, orgUserId: 2 }
  const asker = { requesterId: 2 }

  test('are those that the requester asked for', () => {
    expect(approvedSeats([instructor, student], asker, { instructorOrgUserId: null })).toEqual([instructor, student])
  })

  test('include the instructor whom the desk names', () => {
    const seats = approvedSeats([instructor, student], asker, { instructorOrgUserId: 5 })
    expect(seats).toEqual([{ side: 'instructors', index: 0, orgUserId: 5 }, student])
  })

  test('are all chosen by the desk when it names everyone', () => {
    const seats: SeatInput[] = [{ side: 'students', index: 0, orgUserId: 8 }]
    expect(approvedSeats([instructor, student], asker, { seats, instructorOrgUserId: 5 })).toEqual(seats)
    expect(isOnIt(asker, seats)).toBe(false)
    expect(isOnIt(asker, [student])).toBe(true)
  })

  test('include the guest who asked, once', () => {
    const guest: SeatInput = { side: 'guests', index: 0, guestId: 4 }
    const seats = [{ side: 'instructors', index: 0, orgUserId: 1 }, guest]
    expect(approvedSeats([], { guestId: 4 }, { instructorOrgUserId: 1 })).toEqual(seats)
    expect(approvedSeats([guest], { guestId: 4 }, { instructorOrgUserId: 1 })).toEqual(seats)
    const asked = { guestId: 4, guestEmail: 'gia@example.com' }
    const named = { side: 'guests' as const, index: 0, name: 'Gia', email: 'gia@example.com', phone: null }
    expect(isOnIt(asked, [named])).toBe(true)
    expect(isOnIt(asked, [{ ...named, email: null }])).toBe(false)
    expect(isOnIt({ guestId: 4, guestEmail: null }, [{ ...named, email: null }])).toBe(false)
  })
})

describe('the mail to a guest about their request', () => {
  const decided = {
    status: 'approved' as const,
    organization: 'Bay Flight Academy',
    title: 'Discovery flight',
    start: at('2026-11-24T18:00:00Z'),
    end: at('2026-11-24T19:00:00Z'),
    zone: 'America/Los_Angeles',
    resource: 'N172SP',
    reason: null,
    prepaid: false,
    payUrl: null,
  }

  test('says when and on which aircraft they fly, in the school’s zone', () => {
    expect(decisionMessage(decided)).toEqual({
      subject: 'Discovery flight at Bay Flight Academy: you are booked',
      paragraphs: [
        'Bay Flight Academy has approved your request: Discovery flight.',
        'Tue, Nov 24, 2026, 10:00–11:00 PST',
        'N172SP',
      ],
    })
  })

  test('says which amount is paid in advance', () => {
    const last = (over: Partial<typeof decided>) => decisionMessage({ ...decided, ...over }).paragraphs.at(-1)
    expect(last({ prepaid: true })).toBe('It is paid in advance: the invoice comes by mail.')
    expect(decisionMessage({ ...decided, prepaid: true, payUrl: 'https://pay.example/1' }).paragraphs.at(-1)).toBe(
      'It is paid in advance: please pay it now.',
    )
  })

  test('includes the reason of a refusal', () => {
    expect(decisionMessage({ ...decided, status: 'declined', reason: 'No aircraft' })).toEqual({
      subject: 'Discovery flight at Bay Flight Academy: your request is declined',
      paragraphs: [
        'Bay Flight Academy has declined your request: Discovery flight, Tue, Nov 24, 2026, 10:00–11:00 PST.',
        'Reason: No aircraft',
        'Please ask them if you would like another time.',
      ],
    })
    expect(decisionMessage({ ...decided, status: 'cancelled' }).subject).toContain('your request is cancelled')
  })
})
