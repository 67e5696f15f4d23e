import { describe, expect, test } from 'vitest'
import { fits, isOver, type Wish, widens } from '../../../src/shared/scheduling/waitlist/entry.rules.ts'
import { freedByChanges, type PlaceChange } from '../../../src/shared/scheduling/waitlist/freed-times.rules.ts'
import { isBarred, isWaitedFor, spansOf, type Waiting } from '../../../src/shared/scheduling/waitlist/places.rules.ts'
import type { EntryChanges } from '../../../src/shared/scheduling/waitlist/write-entry.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 5, 1, hour))
const span = (from: number, to: number) => ({ start: at(from), end: at(to) })

const wish: Wish = {
  windows: [span(8, 12)],
  durationMinutes: 120,
  noticeMinutes: 180,
  resourceIds: [1, 2],
  pool: null,
  instructorIds: [7],
  insteadOfId: null,
}

/** Every field that PATCH takes: what it was, what it becomes, and whether the entry then goes to the end of the list. */
const changes: { [Field in keyof Required<EntryChanges>]: [string, Wish[Field], Wish[Field], boolean][] } = {
  windows: [
    ['one more', [span(8, 12)], [span(8, 12), span(13, 15)], true],
    ['moved', [span(8, 12)], [span(9, 13)], true],
    ['longer', [span(8, 12)], [span(8, 13)], true],
    ['a part of it', [span(8, 12)], [span(9, 12)], false],
    ['two parts of it', [span(8, 12)], [span(8, 10), span(10, 12)], false],
    ['one of two', [span(8, 12), span(13, 15)], [span(13, 15)], false],
    ['across two that adjoin', [span(8, 10), span(10, 12)], [span(8, 12)], true],
    ['the same', [span(8, 12)], [span(8, 12)], false],
  ],
  durationMinutes: [
    ['shorter', 120, 90, true],
    ['longer', 120, 150, true],
    ['the same', 120, 120, false],
  ],
  noticeMinutes: [
    ['less', 180, 60, true],
    ['more', 180, 240, false],
    ['the same', 180, 180, false],
  ],
  resourceIds: [
    ['another', [1, 2], [1, 3], true],
    ['one more', [1, 2], [1, 2, 3], true],
    ['any', [1, 2], [], true],
    ['one of them', [1, 2], [2], false],
    ['in another order', [1, 2], [2, 1], false],
    ['one, after any', [], [1], false],
    ['any, as before', [], [], false],
  ],
  pool: [
    ['one, after none', null, '172 fleet', true],
    ['another', '172 fleet', '182 fleet', true],
    ['none', '172 fleet', null, true],
    ['in other letters', '172 fleet', '172 FLEET', false],
    ['none, as before', null, null, false],
  ],
  instructorIds: [
    ['another', [7], [8], true],
    ['one more', [7], [7, 8], true],
    ['any', [7], [], true],
    ['one of them', [7, 8], [8], false],
    ['one, after any', [], [7], false],
  ],
  insteadOfId: [
    ['one, after none', null, 4, false],
    ['another', 4, 5, true],
    ['none', 4, null, true],
    ['the same', 4, 4, false],
  ],
}

describe('a change of an entry takes its position', () => {
  const cases = Object.entries(changes).flatMap(([field, rows]) =>
    rows.map(([name, before, after, expected]) => [field, name, before, after, expected] as const),
  )
  test.each(cases)('%s: %s', (field, _name, before, after, expected) => {
    expect(widens({ ...wish, [field]: before }, { ...wish, [field]: after })).toBe(expected)
  })

  test('when one of its fields does', () => {
    expect(widens(wish, { ...wish, noticeMinutes: 240, durationMinutes: 90 })).toBe(true)
    expect(widens(wish, { ...wish, noticeMinutes: 240, resourceIds: [2] })).toBe(false)
  })
})

describe('a place fits an entry', () => {
  const place = { ...span(9, 11), resourceId: 2, instructorId: 7 }
  const cases: [string, Partial<typeof place>, boolean][] = [
    ['in its window, on its aircraft, with its instructor', {}, true],
    ['at the edge of its window', span(10, 12), true],
    ['not beyond its window', span(11, 13), false],
    ['not of another length', span(9, 10), false],
    ['not on another aircraft', { resourceId: 3 }, false],
    ['not with another instructor', { instructorId: 8 }, false],
  ]
  test.each(cases)('%s', (_name, other, expected) => {
    expect(fits(wish, { ...place, ...other })).toBe(expected)
  })
})

test('an entry is over when its latest start is closer than its notice', () => {
  expect(isOver(wish, at(7))).toBe(false)
  expect(isOver(wish, new Date(at(7).getTime() + 1))).toBe(true)
})

const waiting: Waiting = { ...wish, id: 5, orgUserId: 9, movesStart: null, windows: [span(8, 20)] }
const horizon = { from: at(0), to: at(24) }

describe('the spans in which an entry is searched for', () => {
  const freed = (from: number, to: number) => ({ ...span(from, to), entryId: null })
  test('reach as far as a place may overlap the freed time', () => {
    expect(spansOf(waiting, [freed(12, 13)], horizon)).toEqual([span(10, 15)])
  })
  test('stay within its windows', () => {
    expect(spansOf(waiting, [freed(19, 22)], horizon)).toEqual([span(17, 20)])
  })
  test('begin after its notice', () => {
    expect(spansOf(waiting, [freed(9, 12)], { from: at(6), to: at(24) })).toEqual([span(9, 14)])
  })
  test('are joined where they overlap', () => {
    expect(spansOf(waiting, [freed(10, 11), freed(12, 13)], horizon)).toEqual([span(8, 15)])
  })
  test('end where the booking begins that accepting moves', () => {
    const moving = { ...waiting, movesStart: at(12) }
    expect(spansOf(moving, [freed(10, 18)], horizon)[0]?.end.getTime()).toBe(at(14).getTime() - 1)
  })
  test('are all its windows when it is new', () => {
    expect(spansOf(waiting, [{ start: null, end: null, entryId: 5 }], horizon)).toEqual([span(8, 20)])
    expect(spansOf(waiting, [{ start: null, end: null, entryId: 6 }], horizon)).toEqual([])
  })
  test('are none while its pool has no aircraft', () => {
    const [pooled, place] = [
      { ...waiting, pool: 'Skyhawks' },
      { ...span(9, 11), resourceId: 1, instructorId: 7 },
    ]
    const empty = { ...pooled, resourceIds: [] }
    expect([pooled, empty].map((entry) => spansOf(entry, [freed(12, 13)], horizon).length)).toEqual([1, 0])
    expect([pooled, empty].map((entry) => isWaitedFor(entry, place))).toEqual([true, false])
  })
})

describe('a place is barred', () => {
  const place = { ...span(9, 11), resourceId: 2, instructorId: 7 }
  const time = { ...span(10, 12), resourceId: 2, instructorId: 7, orgUserId: 3, entryId: 4, why: 'open' as const }
  test('where an offer is open on its aircraft, with its instructor, or to its person', () => {
    expect(isBarred(waiting, place, [time])).toBe(true)
    expect(isBarred(waiting, place, [{ ...time, resourceId: 1 }])).toBe(true)
    expect(isBarred(waiting, place, [{ ...time, resourceId: 1, instructorId: 8 }])).toBe(false)
    expect(isBarred(waiting, place, [{ ...time, resourceId: 1, instructorId: 8, orgUserId: 9 }])).toBe(true)
    expect(isBarred(waiting, place, [{ ...time, ...span(11, 12) }])).toBe(false)
  })
  test('to the entry that had an offer of it, and to no other', () => {
    const answered = { ...time, ...span(9, 11), why: 'answered' as const }
    expect(isBarred(waiting, place, [{ ...answered, entryId: 5 }])).toBe(true)
    expect(isBarred(waiting, place, [{ ...answered, entryId: 4 }])).toBe(false)
    expect(isBarred(waiting, place, [{ ...answered, entryId: 5, ...span(10, 12) }])).toBe(false)
  })
  test('at the start at which its instructor declined the entry, on any aircraft, and not with another', () => {
    const declined = { ...time, ...span(9, 11), why: 'instructor' as const, entryId: 5 }
    expect(isBarred(waiting, { ...place, resourceId: 1 }, [declined])).toBe(true)
    expect(isBarred(waiting, { ...place, instructorId: 8 }, [declined])).toBe(false)
    expect(isBarred(waiting, place, [{ ...declined, entryId: 4 }])).toBe(false)
  })
  test('to who freed it in the last day', () => {
    const freed = { ...time, why: 'freed' as const, entryId: null }
    expect(isBarred(waiting, place, [{ ...freed, orgUserId: 9 }])).toBe(true)
    expect(isBarred(waiting, place, [{ ...freed, orgUserId: 9, resourceId: null }])).toBe(true)
    expect(isBarred(waiting, place, [{ ...freed, orgUserId: 9, resourceId: 1, instructorId: null }])).toBe(false)
    expect(isBarred(waiting, place, [{ ...freed, orgUserId: 3 }])).toBe(false)
  })
  test('to everybody after the desk booked over its offer', () => {
    expect(isBarred(waiting, place, [{ ...time, why: 'booked' }])).toBe(true)
    expect(isBarred(waiting, place, [{ ...time, why: 'booked', resourceId: 1 }])).toBe(false)
  })
})

describe('the times that changes of a booking free', () => {
  const present = { ...span(10, 11), resourceId: 2, instructorIds: [7] }
  const iso = (hour: number) => at(hour).toISOString()
  const times = (from: number, to: number) => ({ start: iso(from), end: iso(to) })
  const by = (orgUserId: number, before: PlaceChange['before']) => ({ orgUserId, before })
  const ofPlane = (from: number, to: number, orgUserId = 9, resourceId = 2) => ({
    ...{ ...span(from, to), resourceId, instructorId: null, orgUserId, entryId: null, why: 'freed' as const },
  })
  const cases: [string, PlaceChange[], ReturnType<typeof ofPlane>[]][] = [
    ['none without a change', [], []],
    ['all of it when it moves away', [by(9, times(14, 16))], [ofPlane(14, 16)]],
    ['what is outside when it moves by half', [by(9, times(9, 11))], [ofPlane(9, 10)]],
    ['both ends when it is cut at both', [by(9, times(8, 13))], [ofPlane(8, 10), ofPlane(11, 13)]],
    ['nothing when it grows', [by(9, { start: iso(10), end: iso(10) })], []],
    ['the aircraft that it leaves', [by(9, { resourceId: 3 })], [ofPlane(10, 11, 9, 3)]],
    [
      'of two changes, each by whom',
      [by(9, times(14, 16)), by(8, times(12, 13))],
      [ofPlane(14, 16), ofPlane(12, 13, 8)],
    ],
    [
      'the aircraft at the time that it had then',
      [by(8, times(14, 16)), by(9, { resourceId: 3 })],
      [ofPlane(14, 16, 8), ofPlane(14, 16, 9, 3)],
    ],
  ]
  test.each(cases)('are %s', (_name, changes, expected) => {
    const freed = freedByChanges(present, changes)
    expect(freed.filter(({ resourceId }) => resourceId !== null)).toEqual(expected)
  })

  test('are of its instructors too', () => {
    const freed = freedByChanges(present, [by(9, { personnel: { instructors: [6], students: [9] } })])
    expect(freed).toEqual([{ ...ofPlane(10, 11), resourceId: null, instructorId: 6 }])
  })
})
