import { describe, expect, test } from 'vitest'
import {
  booksForThemselves,
  creatableTypes,
  mayRecordPast,
  needsApproval,
  type ReservationType,
} from '../../../src/shared/fleet/resources/reservation-types.rules.ts'
import { facts, guest, member, plane, problemsOf, roles, times } from '../scheduling/booking-facts.ts'

const all = ['solo', 'shared', 'dual', 'ground', 'guest', 'sim', 'rental', 'maintenance']

describe('the types that a role may create (§Reservations)', () => {
  test.each([
    ['owner', all],
    ['admin', all],
    ['dispatcher', all],
    ['instructor', ['solo', 'dual', 'ground', 'guest', 'sim']],
    ['student', ['solo', 'dual', 'ground', 'sim']],
    ['renter', ['shared', 'rental']],
    ['technician', ['maintenance']],
  ] as const)('are the ones of the table for %s', (role, types) => {
    expect(creatableTypes(roles(role))).toEqual(types)
  })

  test('add up over the roles of a member', () => {
    expect(creatableTypes(roles('renter', 'technician'))).toEqual(['shared', 'rental', 'maintenance'])
    expect(creatableTypes(roles())).toEqual([])
  })
})

describe('a booking by a student or renter for themselves (§Reservations)', () => {
  test('seats them, unless another role of theirs allows the type', () => {
    expect(booksForThemselves(roles('student'), 'dual')).toBe(true)
    expect(booksForThemselves(roles('student', 'instructor'), 'dual')).toBe(false)
    expect(booksForThemselves(roles('renter', 'instructor'), 'rental')).toBe(true)
    expect(booksForThemselves(roles('student', 'technician'), 'maintenance')).toBe(false)
    expect(booksForThemselves(roles('student'), 'rental')).toBe(false)
  })

  test('does not record a past flight, while instructors and desk staff may', () => {
    expect(mayRecordPast(roles('student'), 'dual')).toBe(false)
    expect(mayRecordPast(roles('renter', 'instructor'), 'rental')).toBe(true)
    expect(mayRecordPast(roles('dispatcher'), 'rental')).toBe(true)
  })

  test('needs approval when every role that allows the type needs it', () => {
    const students = { student: true, renter: false }
    expect(needsApproval(roles('student'), 'solo', students)).toBe(true)
    expect(needsApproval(roles('student', 'renter'), 'rental', students)).toBe(false)
    expect(needsApproval(roles('student', 'instructor'), 'solo', students)).toBe(false)
    expect(needsApproval(roles('student'), 'rental', students)).toBe(false)
  })
})

const side = {
  instructors: (n: number) => many(n, (i) => member('instructors', 100 + i, `Instructor ${i}`)),
  students: (n: number) => many(n, (i) => member('students', 200 + i, `Student ${i}`)),
  renters: (n: number) => many(n, (i) => member('renters', 300 + i, `Renter ${i}`)),
  pilots: (n: number) => many(n, (i) => member('pilots', 400 + i, `Pilot ${i}`)),
  guests: (n: number) => many(n, (i) => guest(500 + i, `Guest ${i}`)),
}

function many<T>(n: number, make: (i: number) => T): T[] {
  return Array.from({ length: n }, (_, i) => make(i + 1))
}

function seated(type: ReservationType, counts: Partial<Record<keyof typeof side, number>>) {
  const seats = (Object.keys(counts) as (keyof typeof side)[]).flatMap((name) => side[name](counts[name] ?? 0))
  return problemsOf(facts({ booking: times({ type }), seats, resource: null })).map(({ code, message }) => [
    code,
    message,
  ])
}

describe('the seats of a booking (§Reservations rules 3 and 4)', () => {
  test.each([
    ['dual', { instructors: 1, students: 4 }],
    ['solo', { students: 1 }],
    ['ground', { instructors: 1, students: 12 }],
    ['sim', { students: 6 }],
    ['sim', { instructors: 1, students: 1 }],
    ['guest', { instructors: 1, guests: 1 }],
    ['rental', { renters: 4 }],
    ['rental', { instructors: 1, renters: 1 }],
    ['shared', { pilots: 2 }],
    ['shared', { pilots: 4 }],
    ['maintenance', {}],
  ] as const)('of type %s take %o', (type, counts) => {
    expect(seated(type, counts)).toEqual([])
  })

  test.each([
    ['dual', { instructors: 1, students: 5 }, 'personnel.students: at most 4 students on a dual booking, 5 given'],
    ['dual', { instructors: 2, students: 1 }, 'personnel.instructors: at most 1 instructor on a dual booking, 2 given'],
    ['dual', { students: 1 }, 'personnel.instructors: at least 1 instructor on a dual booking, 0 given'],
    ['solo', { students: 2 }, 'personnel: exactly 1 person on a solo booking, 2 given'],
    ['solo', {}, 'personnel.students: at least 1 student on a solo booking, 0 given'],
    [
      'ground',
      { instructors: 1, students: 13 },
      'personnel.students: at most 12 students on a ground booking, 13 given',
    ],
    ['sim', { students: 7 }, 'personnel.students: at most 6 students on a sim booking, 7 given'],
    ['rental', { renters: 5 }, 'personnel.renters: at most 4 renters on a rental booking, 5 given'],
    ['guest', { instructors: 1, guests: 2 }, 'personnel.guests: at most 1 guest on a guest booking, 2 given'],
    ['shared', { pilots: 1 }, 'personnel.pilots: at least 2 pilots on a shared booking, 1 given'],
    [
      'shared',
      { instructors: 1, pilots: 2 },
      'personnel.instructors: at most 0 instructors on a shared booking, 1 given',
    ],
    ['maintenance', { students: 1 }, 'personnel.students: at most 0 students on a maintenance booking, 1 given'],
  ] as const)('of type %s refuse %o', (type, counts, message) => {
    expect(seated(type, counts)).toEqual([['SIDE_LIMIT', message]])
  })

  test('of type solo with five names exceed the limit of the side and the one occupant', () => {
    expect(seated('solo', { students: 5 })).toEqual([
      ['SIDE_LIMIT', 'personnel.students: at most 4 students on a solo booking, 5 given'],
      ['SIDE_LIMIT', 'personnel: exactly 1 person on a solo booking, 5 given'],
    ])
  })

  test('refuse one person on two of them', () => {
    const both = roles('instructor', 'student')
    const ana = (where: 'instructors' | 'students') => member(where, 1, 'Ana Ruiz', { roles: both })
    const problems = problemsOf(facts({ seats: [ana('instructors'), ana('students')] }))
    expect(problems).toMatchObject([{ code: 'INVALID', field: 'personnel.students', orgUserId: 1 }])
  })

  test('refuse a person whose role does not fit the side', () => {
    const seats = [
      member('instructors', 1, 'Ana Ruiz', { roles: roles('student') }),
      member('students', 2, 'Ben Okafor'),
    ]
    expect(problemsOf(facts({ seats }))).toEqual([
      {
        rule: 'booking_shape',
        code: 'INVALID',
        overridable: false,
        field: 'personnel.instructors',
        message: 'personnel.instructors: Ana Ruiz has none of the roles for this side (instructor)',
        orgUserId: 1,
      },
    ])
  })
})

describe('the resource of a booking (§Reservations)', () => {
  test.each([
    ['dual', 'plane', true],
    ['dual', 'simulator', false],
    ['ground', 'room', true],
    ['ground', 'plane', false],
    ['sim', 'simulator', true],
    ['sim', 'room', false],
    ['maintenance', 'simulator', true],
    ['maintenance', 'room', false],
  ] as const)('of type %s on a %s is checked: %s', (type, kind, fits) => {
    const seats = type === 'maintenance' ? [] : [member('instructors', 1, 'Ana'), member('students', 2, 'Ben')]
    const problems = problemsOf(facts({ booking: times({ type }), seats, resource: plane({ kind }) }))
    expect(problems.map(({ code, field }) => [code, field])).toEqual(fits ? [] : [['INVALID', 'resource']])
  })
})
