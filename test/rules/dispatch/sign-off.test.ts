import { describe, expect, test } from 'vitest'
import {
  bookedBriefing,
  confirmingSide,
  figuresInWords,
  isSignedOff,
  mayClearSignatures,
  measuredByBriefing,
  type SignOffFacts,
  sidesOutstanding,
  sidesToConfirm,
} from '../../../src/shared/dispatch/sign-off.rules.ts'
import type { ReservationType, Side } from '../../../src/shared/fleet/resources/reservation-types.rules.ts'
import { hundredths, tenths } from '../../../src/shared/platform/kernel/units.ts'
import { at, roles } from '../scheduling/booking-facts.ts'

const seat = (side: Side, orgUserId: number | null) => ({ side, orgUserId })
const ana = seat('instructors', 1)
const ben = seat('students', 2)
const cleo = seat('students', 3)

function flight(type: ReservationType, seats: SignOffFacts['seats'], ...signed: number[]): SignOffFacts {
  const confirmations = seats.flatMap(({ side, orgUserId }) =>
    orgUserId !== null && signed.includes(orgUserId) ? [{ side, orgUserId }] : [],
  )
  return { type, seats, confirmations, payers_sign: false }
}

describe('the signatures that a booking needs (§Reservations rule 9)', () => {
  test.each<[ReservationType, SignOffFacts['seats'], Side[]]>([
    ['dual', [ana, ben, cleo], ['instructors', 'students']],
    ['ground', [ana, ben], ['instructors', 'students']],
    ['sim', [ana, ben], ['instructors', 'students']],
    ['sim', [ben, cleo], ['students']],
    ['rental', [ana, seat('renters', 4)], ['instructors', 'renters']],
    ['rental', [seat('renters', 4), seat('renters', 5)], ['renters']],
    ['solo', [ben], ['students']],
    ['shared', [seat('pilots', 4), seat('pilots', 5)], ['pilots']],
    ['guest', [ana, seat('guests', null)], ['instructors']],
    ['maintenance', [], []],
  ])('for a %s booking with %o are known', (type, seats, sides) => {
    expect(sidesToConfirm({ type, seats })).toEqual(sides)
  })
})

describe('the sign-off of a booking (§Reservations rule 9)', () => {
  test('of type dual needs both seats, and any one student of several', () => {
    const seats = [ana, ben, cleo]
    expect(isSignedOff(flight('dual', seats, 1))).toBe(false)
    expect(isSignedOff(flight('dual', seats, 2, 3))).toBe(false)
    expect(sidesOutstanding(flight('dual', seats, 2))).toEqual(['instructors'])
    expect(isSignedOff(flight('dual', seats, 1, 3))).toBe(true)
  })

  test('of type shared needs anyone aboard', () => {
    expect(isSignedOff(flight('shared', [seat('pilots', 4), seat('pilots', 5)], 5))).toBe(true)
  })

  test('of type maintenance never happens', () => {
    expect(isSignedOff(flight('maintenance', []))).toBe(false)
  })
})

describe('the person who signs (§Reservations rule 7)', () => {
  test('signs only for a side that has to', () => {
    const guest = flight('guest', [ana, seat('guests', 5)])
    expect(confirmingSide(guest, 5)).toMatchObject({ message: 'Your side does not have to confirm this booking.' })
  })

  test('is seated on the booking, and signs once', () => {
    expect(confirmingSide(flight('dual', [ana, ben]), 2)).toBe('students')
    expect(confirmingSide(flight('dual', [ana, ben]), 99)).toHaveProperty('status', 403)
    expect(confirmingSide(flight('dual', [ana, ben], 2), 2)).toMatchObject({ status: 409, code: 'NOT_PENDING' })
  })

  test('needs the authority of desk staff or the instructor to clear signatures that are not all their own', () => {
    const signed = flight('dual', [ana, ben], 1, 2)
    expect(mayClearSignatures(flight('dual', [ana, ben], 2), roles('student'), 2)).toBe(true)
    expect(mayClearSignatures(signed, roles('student'), 2)).toBe(false)
    expect(mayClearSignatures(signed, roles('instructor'), 1)).toBe(true)
    expect(mayClearSignatures(signed, roles('instructor'), 7)).toBe(false)
    expect(mayClearSignatures(signed, roles('dispatcher'), 7)).toBe(true)
  })
})

describe('the briefing of a booking', () => {
  test('is the measure of ground lessons and of sims without a simulator', () => {
    expect(measuredByBriefing('ground', 'room')).toBe(true)
    expect(measuredByBriefing('sim', null)).toBe(true)
    expect(measuredByBriefing('sim', 'simulator')).toBe(false)
    expect(measuredByBriefing('dual', null)).toBe(false)
  })

  test('is the booked time to the tenth when nobody gives one', () => {
    // 100 minutes are 1.666… hours.
    expect(bookedBriefing({ start: at('2026-06-02T10:00:00Z'), end: at('2026-06-02T11:40:00Z') })).toBe(17)
  })
})

test.each([
  [
    { hobbs_out: hundredths(120_000), hobbs_in: hundredths(120_140), briefing_tenths: null },
    'Hobbs 1200.00 to 1201.40 · tach 1100.00 to 1101.10',
  ],
  [
    { hobbs_out: hundredths(120_000), hobbs_in: hundredths(120_140), briefing_tenths: tenths(3) },
    'Hobbs 1200.00 to 1201.40 · tach 1100.00 to 1101.10 · 0.3 h of briefing',
  ],
  [{ hobbs_out: null, hobbs_in: null, briefing_tenths: null }, 'tach 1100.00 to 1101.10'],
] as const)('the figures of a close-out in words: %o', (given, words) => {
  expect(figuresInWords({ tach_out: hundredths(110_000), tach_in: hundredths(110_110), ...given })).toBe(words)
})
