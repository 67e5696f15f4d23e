import { describe, expect, test } from 'vitest'
import type { ReservationType, Side } from '../../../src/shared/fleet/resources/reservation-types.rules.ts'
import { isRequiredCrew } from '../../../src/shared/scheduling/reservations/reservation.rules.ts'

const cases: [string, ReservationType, Side[], Side, boolean][] = [
  ['a solo needs its student', 'solo', ['students'], 'students', true],
  ['a dual needs its instructor', 'dual', ['instructors', 'students'], 'instructors', true],
  ['a dual needs its only student', 'dual', ['instructors', 'students'], 'students', true],
  ['a dual goes on without one of two students', 'dual', ['instructors', 'students', 'students'], 'students', false],
  [
    'a ground lesson needs its instructor, however many students',
    'ground',
    ['instructors', 'students', 'students'],
    'instructors',
    true,
  ],
  ['a rental goes on without its instructor', 'rental', ['instructors', 'renters'], 'instructors', false],
  ['a rental needs a renter', 'rental', ['instructors', 'renters'], 'renters', true],
  ['a sim goes on without its instructor', 'sim', ['instructors', 'students'], 'instructors', false],
  ['a shared flight needs two pilots', 'shared', ['pilots', 'pilots'], 'pilots', true],
  ['a shared flight of three goes on as two', 'shared', ['pilots', 'pilots', 'pilots'], 'pilots', false],
  ['a guest flight needs its instructor', 'guest', ['instructors', 'guests'], 'instructors', true],
]

describe('the required crew of a booking that a member leaves (§Members, DELETE)', () => {
  test.each(cases)('%s', (_, type, sides, leaving, needed) => {
    expect(isRequiredCrew(type, sides, leaving)).toBe(needed)
  })
})
