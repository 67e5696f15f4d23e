import { describe, expect, test } from 'vitest'
import { roleFlags } from '../../../src/shared/platform/authz/roles.ts'
import {
  mayReassign,
  type Place,
  payerWouldChange,
  placeChanges,
  type Seated,
} from '../../../src/shared/scheduling/reservations/place.rules.ts'

const member = (side: Seated['side'], orgUserId: number): Seated => ({ side, orgUserId, guestId: null })
const guest = (guestId: number): Seated => ({ side: 'guests', orgUserId: null, guestId })
const place: Place = {
  start: new Date('2026-11-23T10:00:00Z'),
  end: new Date('2026-11-23T12:00:00Z'),
  resourceId: 1,
  locationId: 2,
  seats: [member('instructors', 7), member('students', 9)],
}

describe('what of a place differs (§Reservations)', () => {
  test('is both times of a move, and nothing else', () => {
    expect(placeChanges(place, { ...place, end: new Date('2026-11-23T13:00:00Z') })).toEqual({
      before: { start: '2026-11-23T10:00:00.000Z', end: '2026-11-23T12:00:00.000Z' },
      after: { start: '2026-11-23T10:00:00.000Z', end: '2026-11-23T13:00:00.000Z' },
    })
  })

  test('is the aircraft, the location, and all people by side', () => {
    const seats = [member('students', 9), member('instructors', 8)]
    expect(placeChanges(place, { ...place, resourceId: null, locationId: 3, seats })).toEqual({
      before: { resourceId: 1, locationId: 2, personnel: { instructors: [7], students: [9] } },
      after: { resourceId: null, locationId: 3, personnel: { instructors: [8], students: [9] } },
    })
  })

  test('is nothing when the sides stand in another order', () => {
    expect(placeChanges(place, { ...place, seats: place.seats.toReversed() })).toBeNull()
  })
})

describe('who gives a booking another aircraft or other people (§Reservations)', () => {
  test.each([
    ['a dispatcher who is not on it', 1, { dispatcher: true }, true],
    ['its instructor', 7, { instructor: true }, true],
    ['another instructor', 8, { instructor: true }, false],
    ['its creator on it', 9, { student: true }, true],
    ['somebody on it who did not make it', 10, { student: true }, false],
    ['its creator who has left it', 11, { student: true }, false],
  ] as const)('%s', (_who, orgUserId, roles, expected) => {
    const seats = [...place.seats, member('students', 10)]
    const createdBy = orgUserId === 11 ? 11 : 9
    expect(mayReassign({ createdBy, seats }, { orgUserId, roles: roleFlags(roles) })).toBe(expected)
  })
})

describe('the payer of a package (§Reservations)', () => {
  const two = [member('instructors', 7), member('students', 9), member('students', 10)]
  test.each([
    ['another instructor', 'dual', two, [member('instructors', 8), ...two.slice(1)], false],
    ['the second student goes', 'dual', two, two.slice(0, 2), false],
    ['the students change places', 'dual', two, [two[0]!, two[2]!, two[1]!], true],
    ['another guest', 'guest', [member('instructors', 7), guest(1)], [member('instructors', 7), guest(2)], true],
  ] as const)('%s', (_what, type, from, to, changes) => {
    expect(payerWouldChange(type, from, to)).toBe(changes)
  })
})
