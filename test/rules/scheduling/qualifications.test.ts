import { describe, expect, test } from 'vitest'
import { hundredths } from '../../../src/shared/platform/kernel/units.ts'
import type {
  BookingTimes,
  MemberFacts,
  ResourceFacts,
} from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import type { InspectionLimit } from '../../../src/shared/scheduling/rules/inspection-facts.types.ts'
import { judge } from '../../../src/shared/scheduling/rules/judge.rules.ts'
import { at, facts, member, plane, roles, settings, times } from './booking-facts.ts'

const warningsOf = (...given: Parameters<typeof facts>) => judge(facts(...given)).warnings.map(({ message }) => message)

describe('the endorsements of a solo flight (14 CFR 61.87)', () => {
  const held = (...all: [code: string, end?: string, makeAndModel?: string | null][]) =>
    all.map(([code, end, makeAndModel = 'Cessna C172']) => ({
      code,
      makeAndModel,
      expiresAt: end ? at(end) : null,
    }))
  const missing = (
    endorsements: MemberFacts['endorsements'],
    over: { times?: Partial<BookingTimes>; plane?: Partial<ResourceFacts> } = {},
  ) =>
    warningsOf({
      booking: times({ type: 'solo', ...over.times }),
      seats: [member('students', 2, 'Ben Okafor', { endorsements })],
      resource: plane(over.plane),
    }).map((message) => message.replace('Ben Okafor has no current solo endorsement for this flight: ', ''))
  const base = [['A.3'], ['A.4']] as [string][]
  const from = (start: string, end: string) => ({ times: { start: at(start), end: at(end) } })

  test.each([
    ['A.3, A.4 and A.6', held(...base, ['A.6']), []],
    ['A.7 in place of A.6', held(...base, ['A.7']), []],
    ['none', [], ['A.3, A.4, A.6 or A.7']],
    ['no A.4', held(['A.3'], ['A.6']), ['A.4']],
    ['an A.6 that ends after the start', held(...base, ['A.6', '2026-06-02T14:00:00.001Z']), []],
    ['an A.6 that ends as the flight starts', held(...base, ['A.6', '2026-06-02T14:00:00Z']), ['A.6 or A.7']],
    ['an A.6 for another model', held(...base, ['A.6', undefined, 'Cessna C152']), ['A.6 or A.7']],
    ['an A.6 for the model alone, in capitals or not', held(...base, ['A.6', undefined, 'c172']), []],
    ['an A.6 that names no model', held(...base, ['A.6', undefined, null]), ['A.6 or A.7']],
  ] as const)('are asked for: %s', (_name, endorsements, expected) => {
    expect(missing(endorsements)).toEqual(expected)
  })

  test('are of any model where the aircraft’s is not recorded', () => {
    const other = held(['A.3', undefined, 'X'], ['A.4', undefined, 'Y'], ['A.6', undefined, null])
    expect(missing(other, { plane: { make: null, model: null } })).toEqual([])
  })

  test.each([
    ['until 21:00', '2026-06-02T19:00:00-04:00', '2026-06-02T21:00:00-04:00', []],
    ['past 21:00', '2026-06-02T19:00:00-04:00', '2026-06-02T21:01:00-04:00', ['A.5']],
    ['from 05:00', '2026-06-02T05:00:00-04:00', '2026-06-02T07:00:00-04:00', []],
    ['before 05:00', '2026-06-02T04:59:00-04:00', '2026-06-02T07:00:00-04:00', ['A.5']],
    ['overnight', '2026-06-02T12:00:00-04:00', '2026-06-03T12:00:00-04:00', ['A.5']],
  ])('include A.5 for a flight %s', (_name, start, end, expected) => {
    expect(missing(held(...base, ['A.6']), from(start, end))).toEqual(expected)
    expect(missing(held(...base, ['A.6'], ['A.5']), from(start, end))).toEqual([])
  })

  test.each([
    ['2026-07-01T22:00:00-04:00', []],
    ['2026-07-02T22:00:00-04:00', ['A.6 or A.7']],
    ['2026-07-30T22:00:00-04:00', ['A.6 or A.7']],
    ['2026-07-31T22:00:00-04:00', ['A.6 or A.7, A.5']],
  ])('at night are both: A.6 to 2026-07-01, A.5 to 2026-07-30, on %s', (start, expected) => {
    const ends = (day: string) => `${day}T23:59:59.999-04:00`
    const both = held(...base, ['A.6', ends('2026-07-01')], ['A.5', ends('2026-07-30')])
    expect(missing(both, from(start, start.replace('T22', 'T23')))).toEqual(expected)
  })

  test('are signed by an instructor, as the fix says', () => {
    const seats = [member('students', 2, 'Ben Okafor', { endorsements: held(...base) })]
    const [warning] = judge(facts({ booking: times({ type: 'solo' }), seats })).warnings
    expect(warning?.fix).toMatchObject({ action: 'sign_endorsement', text: expect.stringContaining('A.6 or A.7') })
  })

  test('are asked of nobody on dual', () => {
    expect(warningsOf()).toEqual([])
  })
})

describe('the documents that roles need (interface §Booking rules)', () => {
  const needed = settings({ requiredDocuments: { student: ['medical', 'identification'], renter: ['insurance'] } })
  const ben = (documents: MemberFacts['documents'], more: Partial<MemberFacts> = {}) => ({
    settings: needed,
    seats: [member('instructors', 1, 'Ana Ruiz'), member('students', 2, 'Ben Okafor', { documents, ...more })],
  })
  const identification = { category: 'identification', expiresAt: null, verified: true }
  const medical = (end: string, verified = true) => ({ category: 'medical', expiresAt: at(end), verified })

  test.each([
    ['all there', [identification, medical('2026-06-02T14:00:00.001Z')], []],
    ['one expired as the flight starts', [identification, medical('2026-06-02T14:00:00Z')], ['medical']],
    ['none', [], ['medical', 'identification']],
    [
      'an expired one beside a newer',
      [identification, medical('2026-01-01T00:00:00Z'), medical('2027-01-01T00:00:00Z')],
      [],
    ],
  ])('are asked for at the start: %s', (_name, documents, categories) => {
    expect(warningsOf(ben(documents))).toEqual(
      categories.map((category) => `Ben Okafor has no valid document: ${category}`),
    )
  })

  test('count before anybody verified them, with a warning even where the rule blocks', () => {
    const pending = medical('2027-01-01T00:00:00Z', false)
    const rules = { documents: { enforcement: 'block' as const, overridableBy: ['admin' as const] } }
    const held = ben([identification, pending])
    const judged = judge(facts({ ...held, settings: { ...needed, rules } }))
    expect(judged.problems).toEqual([])
    expect(judged.warnings).toMatchObject([
      { code: 'DOCUMENT_UNVERIFIED', message: 'Nobody has verified the document of Ben Okafor yet: medical' },
    ])
    expect(warningsOf(ben([identification, pending, medical('2026-12-01T00:00:00Z')]))).toEqual([])
    expect(warningsOf(ben([identification, medical('2026-01-01T00:00:00Z', false)]))).toEqual([
      'Ben Okafor has no valid document: medical',
    ])
  })

  test('are those of every role of the member', () => {
    const both = { roles: roles('student', 'renter') }
    expect(warningsOf(ben([identification, medical('2027-01-01T00:00:00Z')], both))).toEqual([
      'Ben Okafor has no valid document: insurance',
    ])
  })

  test('can be added by desk staff and by the person, as the fix says', () => {
    const by = (role: Parameters<typeof roles>[0], orgUserId: number) =>
      judge(facts({ ...ben([identification]), actor: { orgUserId, roles: roles(role) } })).warnings[0]?.fix
    const fix = { action: 'record_document', category: 'medical', text: 'Add a document: medical.' }
    expect(by('dispatcher', 99)).toEqual(fix)
    expect(by('student', 2)).toEqual(fix)
    expect(by('instructor', 1)).toBeUndefined()
  })
})

describe('maintenance that is due (interface §Booking rules)', () => {
  const limit = { basis: 'tach', dueAt: null, due: hundredths(100_000), reads: hundredths(99_850) } as const
  const whole = { id: 1, grounding: false, scope: 'all' } as const
  const item = (over: Partial<InspectionLimit> = {}) => ({
    ...whole,
    name: '100-hour',
    limits: [{ ...limit, ...over }],
  })
  const byDate = (dueAt: string) => ({ basis: 'calendar', dueAt: at(dueAt), due: null, reads: null }) as const
  const day = (dueAt: string) => ({ ...whole, name: 'Annual', limits: [byDate(dueAt)] })
  const lasting = (minutes: number) => ({
    booking: times({ end: new Date(times().start.getTime() + minutes * 60_000) }),
  })

  test.each([
    [
      'tach 998.5, due 1000.0, dual of 2.0',
      item(),
      120,
      ['100-hour of N12345 is due at tach 1000.00, which this booking would pass'],
    ],
    ['a flight that just fits', item(), 90, []],
    ['a meter that was never read', item({ reads: null }), 120, []],
    ['a date before the start', day('2026-06-01T12:00:00Z'), 60, ['Annual of N12345 is due on 2026-06-01']],
    ['a date within the booking', day('2026-06-02T14:30:00Z'), 60, ['Annual of N12345 is due on 2026-06-02']],
    ['a date as the booking ends', day('2026-06-02T15:00:00Z'), 60, []],
    ['an item without a due reading', item({ due: null }), 60, []],
    [
      'the second of two limits',
      { ...whole, name: 'Oil', limits: [byDate('2026-08-01T12:00:00Z'), limit] },
      120,
      ['Oil of N12345 is due at tach 1000.00, which this booking would pass'],
    ],
    [
      'both of two limits, once',
      { ...whole, name: 'Oil', limits: [byDate('2026-06-01T12:00:00Z'), limit] },
      120,
      ['Oil of N12345 is due on 2026-06-01'],
    ],
    ['landings that are not made yet', item({ basis: 'landings', due: hundredths(99_900) }), 120, []],
    [
      'landings that are made',
      item({ basis: 'landings', due: hundredths(99_800) }),
      60,
      ['100-hour of N12345 is due at 998 landings, which this booking would pass'],
    ],
  ] as const)('is found: %s', (_name, inspection, minutes, expected) => {
    const resource = plane({ inspections: [inspection] })
    expect(warningsOf({ ...lasting(minutes), resource })).toEqual(expected)
    const shop = { ...lasting(minutes).booking, type: 'maintenance' as const }
    expect(warningsOf({ booking: shop, seats: [], resource })).toEqual([])
  })
})

describe('the citizenship of students (49 CFR 1552.7(a))', () => {
  const block = settings({ rules: { citizenship: { enforcement: 'block' } } })
  const ben = (citizenshipVerified: boolean) => member('students', 2, 'Ben Okafor', { citizenshipVerified })
  const others = { citizenshipVerified: false }
  const ana = member('instructors', 1, 'Ana Ruiz', others)
  const rita = member('renters', 3, 'Rita Lange', others)
  const refused = ['CITIZENSHIP_UNVERIFIED']

  test.each([
    ['dual booking of an unverified person', 'dual', [ana, ben(false)], plane(), refused],
    ['dual booking of a verified one', 'dual', [ana, ben(true)], plane(), []],
    ['solo of an unverified person', 'solo', [ben(false)], plane(), refused],
    ['access to a simulator', 'sim', [ana, ben(false)], plane({ kind: 'simulator' }), refused],
    ['ground lesson', 'ground', [ana, ben(false)], null, []],
    ['rental', 'rental', [rita], plane(), []],
    ['rental with an instructor', 'rental', [ana, rita], plane(), []],
  ] as const)('%s', (_what, type, people, resource, expected) => {
    const { problems } = judge(facts({ booking: times({ type }), seats: people, resource, settings: block }))
    expect(problems.map(({ code }) => code)).toEqual(expected)
  })
})
