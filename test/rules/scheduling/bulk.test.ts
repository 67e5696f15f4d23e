import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SeatInput } from '../../../src/shared/scheduling/rules/booking-input.types.ts'
import { groupsOf } from '../../../src/shared/workflows/bulk-groups.rules.ts'
import { targetsOf } from '../../../src/shared/workflows/bulk-target.rules.ts'

describe('the groups of a bulk (§Reservations)', () => {
  test.each([
    ['nothing in common: each alone', [['a'], ['b'], ['c']], [[1], [2], [3]]],
    ['one aircraft: together', [['a'], ['b'], ['a']], [[1, 3], [2]]],
    [
      'a chain of people: together',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['d', 'e'],
        ['b', 'c'],
      ],
      [[1, 2, 3, 4]],
    ],
    ['nothing at all: each alone', [[], []], [[1], [2]]],
    ['no bookings', [], []],
  ])('%s', (_what, keys, groups) => {
    expect(groupsOf(keys.map((of, at) => ({ number: at + 1, keys: of })))).toEqual(groups)
  })

  test('hold each booking once, and no two of them share anything', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }), { maxLength: 30 }), (all) => {
        const bookings = all.map((keys, at) => ({ number: at, keys: keys.map(String) }))
        const groups = groupsOf(bookings)
        expect(groups.flat().toSorted((a, b) => a - b)).toEqual(bookings.map(({ number }) => number))
        const keysOf = (group: number[]) => new Set(group.flatMap((number) => bookings[number]!.keys))
        for (const [at, group] of groups.entries()) {
          for (const other of groups.slice(at + 1)) expect(keysOf(group).isDisjointFrom(keysOf(other))).toBe(true)
        }
      }),
    )
  })
})

const seat = (side: SeatInput['side'], orgUserId: number): SeatInput => ({ side, index: 0, orgUserId })
const from = {
  start: new Date('2026-11-23T10:00:00Z'),
  end: new Date('2026-11-23T12:00:00Z'),
  resourceId: 1,
  seats: [seat('instructors', 7), seat('students', 9)],
}

describe('where an action of a bulk puts a booking (§Reservations)', () => {
  test('a move keeps its length, aircraft and people', () => {
    expect(targetsOf({ move: { minutes: -90 } }, 5, 'dual', from)).toEqual([
      { ...from, start: new Date('2026-11-23T08:30:00Z'), end: new Date('2026-11-23T10:30:00Z') },
    ])
  })

  test('a reassignment offers each aircraft in turn, with the new instructor', () => {
    const seats = [seat('students', 9), seat('instructors', 8)]
    const action = { reassign: { resourceIds: [2, 3], instructorOrgUserId: 8 } }
    expect(targetsOf(action, 5, 'dual', from)).toEqual([
      { ...from, resourceId: 2, seats },
      { ...from, resourceId: 3, seats },
    ])
  })

  test('a solo, a shared flight and maintenance have no seat for an instructor', () => {
    const action = { reassign: { instructorOrgUserId: 8 } }
    for (const type of ['solo', 'shared', 'maintenance'] as const) {
      expect(targetsOf(action, 5, type, from)).toBe('no_such_seat')
    }
  })

  test('a change of its own replaces what it names, and leaves the rest', () => {
    const action = {
      changes: [{ id: 4 }, { id: 5, resourceId: null, sides: [{ side: 'students' as const, seats: [] }] }],
    }
    expect(targetsOf(action, 5, 'dual', from)).toEqual([{ ...from, resourceId: null, seats: [seat('instructors', 7)] }])
    expect(targetsOf(action, 4, 'dual', from)).toEqual([from])
  })
})
