import { describe, expect, test } from 'vitest'
import { hundredths } from '../../../src/shared/platform/kernel/units.ts'
import type { BookingFacts } from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import { judge } from '../../../src/shared/scheduling/rules/judge.rules.ts'
import { at, facts, guest, member, plane, settings, times } from './booking-facts.ts'

const ana = member('instructors', 1, 'Ana Ruiz')
const ben = (inPart141 = false) => member('students', 2, 'Ben Okafor', { inPart141 })
const rita = member('renters', 3, 'Rita Moss')

/** Tach 1000.4, the 100-hour inspection due at 1000.0. */
const hundredHour = {
  id: 1,
  name: '100-hour',
  grounding: true,
  scope: 'for_hire_or_instruction',
  limits: [{ basis: 'tach', dueAt: null, due: hundredths(100_000), reads: hundredths(100_040) }],
} as const
/** The altimeter test of 2024-05-05, good to 2026-05-31. */
const altimeter = {
  id: 2,
  name: 'Altimeter',
  grounding: true,
  scope: 'ifr',
  limits: [{ basis: 'calendar', dueAt: at('2026-06-01T03:59:59.999Z'), due: null, reads: null }],
} as const

type Given = Pick<BookingFacts, 'booking' | 'seats'>

/** What is said against a booking, and what it is warned of. */
function judged(given: Given, inspection: typeof hundredHour | typeof altimeter, over = {}, more = {}) {
  const resource = plane({ inspections: [{ ...inspection, ...over }] })
  const { problems, warnings } = judge(facts({ ...given, resource, ...more }))
  return [
    problems.map(({ code }) => code),
    warnings.map(({ code }) => code).filter((code) => code === 'INSPECTION_DUE'),
  ]
}

describe('an overdue 100-hour inspection holds instruction and carrying for hire (14 CFR 91.409(b))', () => {
  const held = [['RESOURCE_GROUNDED'], []]
  const free = [[], []]
  test.each<[string, Given, unknown]>([
    ['dual', { booking: times(), seats: [ana, ben()] }, held],
    ['a guest', { booking: times({ type: 'guest' }), seats: [ana, guest(9, 'Gus')] }, held],
    ['a rental without instructor', { booking: times({ type: 'rental' }), seats: [rita] }, free],
    ['a rental with an instructor', { booking: times({ type: 'rental' }), seats: [rita, ana] }, held],
    ['a solo under Part 61', { booking: times({ type: 'solo' }), seats: [ben()] }, free],
    ['a solo under Part 141 (141.39(a)(3))', { booking: times({ type: 'solo' }), seats: [ben(true)] }, held],
    ['the ferry to the shop', { booking: times({ type: 'maintenance' }), seats: [] }, free],
  ])('%s', (_what, given, expected) => {
    expect(judged(given, hundredHour)).toEqual(expected)
  })

  test('says which inspection is due, and at which reading', () => {
    const resource = plane({ inspections: [hundredHour] })
    const [problem] = judge(facts({ resource })).problems
    expect(problem).toMatchObject({
      rule: 'resource_grounded',
      overridable: false,
      message: 'N12345 is grounded: 100-hour is due at tach 1000.00',
    })
  })

  test('only with `grounding`; else the booking is warned of it', () => {
    expect(judged({ booking: times(), seats: [ana, ben()] }, hundredHour, { grounding: false })).toEqual([
      [],
      ['INSPECTION_DUE'],
    ])
  })

  test('not before it is due: a flight that passes it is warned, one that it does not concern is not', () => {
    const limits = [{ ...hundredHour.limits[0], reads: hundredths(99_850) }]
    expect(judged({ booking: times(), seats: [ana, ben()] }, hundredHour, { limits })).toEqual([[], ['INSPECTION_DUE']])
    expect(judged({ booking: times({ type: 'rental' }), seats: [rita] }, hundredHour, { limits })).toEqual([[], []])
  })
})

describe('an overdue altimeter test (14 CFR 91.411)', () => {
  const rental = (ifr: boolean): Given => ({ booking: times({ type: 'rental', ifr }), seats: [rita] })

  test('refuses instrument flight alone where maintenance due blocks', () => {
    const blocks = { settings: settings({ rules: { inspection_due: { enforcement: 'block' } } }) }
    const item = { grounding: false }
    expect(judged(rental(true), altimeter, item, blocks)).toEqual([['INSPECTION_DUE'], []])
    expect(judged(rental(false), altimeter, item, blocks)).toEqual([[], ['INSPECTION_DUE']])
    expect(judged(rental(false), altimeter, {}, blocks)).toEqual([[], ['INSPECTION_DUE']])
  })

  test('refuses instrument flight and warns of others', () => {
    expect(judged(rental(true), altimeter)).toEqual([['RESOURCE_GROUNDED'], []])
    expect(judged(rental(false), altimeter)).toEqual([[], ['INSPECTION_DUE']])
    expect(judged({ booking: times({ type: 'maintenance', ifr: true }), seats: [] }, altimeter)).toEqual([[], []])
  })
})

test('an overdue annual of the scope `all` grounds the aircraft itself, and the booking is warned of it (14 CFR 91.409(a))', () => {
  const given = { booking: times({ type: 'rental' }), seats: [rita] }
  expect(judged(given, altimeter, { name: 'Annual', scope: 'all' })).toEqual([[], ['INSPECTION_DUE']])
  const resource = plane({ grounded: true, groundedReason: 'Annual was due on 2026-05-31' })
  expect(judge(facts({ ...given, resource })).problems.map(({ code }) => code)).toEqual(['RESOURCE_GROUNDED'])
})

describe('a deferred squawk excludes operations (14 CFR 91.205, 91.213(d))', () => {
  // At Hayward, on 21 June 2026, the sun sets at 03:33 UTC and evening civil twilight ends at 04:04.
  const hayward = { latitude: 37.659, longitude: -122.122 }
  const by = { start: at('2026-06-22T02:00:00Z'), end: at('2026-06-22T03:30:00Z') }
  const dusk = { start: at('2026-06-22T02:30:00Z'), end: at('2026-06-22T04:00:00Z') }
  const night = { start: at('2026-06-22T03:00:00Z'), end: at('2026-06-22T04:30:00Z') }
  const crew = { dual: [ana, ben()], rental: [rita], guest: [ana, guest(9, 'Gus')], maintenance: [] } as const
  test.each([
    ['a landing light', 'night_for_hire_or_instruction', 'dual', by, {}, false],
    ['a landing light', 'night_for_hire_or_instruction', 'dual', dusk, {}, false],
    ['a landing light', 'night_for_hire_or_instruction', 'dual', night, {}, true],
    ['a landing light', 'night_for_hire_or_instruction', 'guest', night, {}, true],
    ['a landing light', 'night_for_hire_or_instruction', 'rental', night, {}, false],
    ['a landing light', 'night_for_hire_or_instruction', 'maintenance', night, {}, false],
    ['position lights', 'night', 'rental', night, {}, true],
    ['position lights', 'night', 'rental', by, {}, false],
    ['the attitude indicator', 'ifr', 'rental', by, { ifr: true }, true],
    ['the attitude indicator', 'ifr', 'rental', by, {}, false],
    ['the second harness', 'for_hire_or_instruction', 'guest', by, {}, true],
    ['the second harness', 'for_hire_or_instruction', 'rental', by, {}, false],
  ] as const)('%s out, %s excluded: %s', (_what, operation, type, when, more, refused) => {
    const resource = plane({
      zone: 'America/Los_Angeles',
      coordinates: hayward,
      deferrals: [{ title: 'Out', excludes: [operation] }],
    })
    const booking = times({ type, ...when, ...more })
    const { problems } = judge(facts({ now: at('2026-06-20T12:00:00Z'), booking, seats: crew[type], resource }))
    expect(problems.filter(({ code }) => code === 'RESOURCE_GROUNDED')).toHaveLength(refused ? 1 : 0)
  })

  test('says what is deferred, and what it is not for', () => {
    const resource = plane({ coordinates: hayward, deferrals: [{ title: 'Landing light out', excludes: ['night'] }] })
    const booking = times({ type: 'rental', ...night })
    const [problem] = judge(facts({ now: at('2026-06-20T12:00:00Z'), booking, seats: [rita], resource })).problems
    expect(problem?.message).toMatch(/is grounded: Landing light out is deferred: not by night$/)
  })
})
