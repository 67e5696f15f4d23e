import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ruleChecks } from '../../../src/shared/dispatch/rule-checks.rules.ts'
import { findingsOf, flagOf } from '../../../src/shared/scheduling/at-risk/at-risk.rules.ts'
import { openingsAt } from '../../../src/shared/scheduling/openings/openings.rules.ts'
import type { BookingFacts, SeatFacts } from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import { checksOf, judge, outcomesOf } from '../../../src/shared/scheduling/rules/judge.rules.ts'
import type { RatingFacts } from '../../../src/shared/scheduling/rules/rating-papers.rules.ts'
import { atOnce } from '../../support/at-once.ts'
import { at, facts, guest, member, roles, settings, times } from './booking-facts.ts'
import { aircraft, cases } from './pilot-rating.cases.ts'

/** Who is on a booking of a type: the person whom the rule asks first. */
function crewOf(type: BookingFacts['booking']['type'], held: RatingFacts): SeatFacts[] {
  const ana = member('instructors', 1, 'Ana Ruiz', { ratings: held })
  if (type === 'rental') return [member('renters', 3, 'Rita Moss', { ratings: held })]
  if (type === 'shared') {
    return [member('pilots', 3, 'Rita Moss', { ratings: held }), member('pilots', 4, 'Samir Haddad', { ratings: none })]
  }
  return [ana, type === 'guest' ? guest(5, 'Gwen Hall') : member('students', 2, 'Ben Okafor', { ratings: none })]
}

const none: RatingFacts = { pilot: null, instructor: null, loggedBefore: [], hours: [], endorsed: [], logged: [] }

const lesson = 31
const booked = ({ type, on, held, instrument = false }: (typeof cases)[number], over: Partial<BookingFacts> = {}) =>
  facts({
    booking: times({ type, lessonIds: [lesson] }),
    instrumentLessons: new Set(instrument ? [lesson] : []),
    seats: crewOf(type, held),
    resource: aircraft[on],
    ...over,
  })

/** The findings in short: what is missing and the paragraph, with a question mark where it is not known. */
const inShort = (given: BookingFacts) =>
  judge(given)
    .warnings.filter(({ rule }) => rule === 'pilot_rating')
    .map(({ message, details }) =>
      `${details?.known ? '' : '? '}${message}`
        .replace(/(Ana Ruiz|Rita Moss) has (no )?/, '')
        .replace(' on record: 14 CFR ', ': '),
    )

describe('the certificates, ratings and endorsements of who flies (14 CFR 61.3, 61.31, 61.195)', () => {
  test('are sixty cases', () => {
    expect(cases).toHaveLength(60)
  })

  test.each(cases.map((one) => [`${one.type} on ${one.on}: ${one.says}`, one] as const))('%s', (_name, one) => {
    expect(inShort(booked(one))).toEqual(one.found)
  })

  const complex = cases.find(({ says }) => says === 'a complex airplane, not endorsed')!
  const warningOf = (one: (typeof cases)[number], over: Partial<BookingFacts> = {}) =>
    judge(booked(one, over)).warnings.find(({ rule }) => rule === 'pilot_rating')

  test('are asked of the instructor alone when one is aboard a rental', () => {
    const seats = [
      member('instructors', 1, 'Ana Ruiz', { ratings: none }),
      member('renters', 3, 'Rita Moss', { ratings: none }),
    ]
    const found = judge(facts({ booking: times({ type: 'rental' }), seats })).warnings
    expect(found.map(({ orgUserId, field }) => [orgUserId, field])).toEqual([[1, 'personnel.instructors']])
  })

  test('are asked of nobody on solo, ground and maintenance', () => {
    for (const type of ['solo', 'ground', 'maintenance'] as const) {
      const seats = [member('students', 2, 'Ben Okafor', { ratings: none })]
      const found = judge(facts({ booking: times({ type }), seats, resource: aircraft.complex })).warnings
      expect(found.filter(({ rule }) => rule === 'pilot_rating')).toEqual([])
    }
  })

  test('name the code RATING_MISSING, the person and what would cure it', () => {
    expect(warningOf(complex)).toMatchObject({
      code: 'RATING_MISSING',
      orgUserId: 3,
      field: 'personnel.renters',
      fix: { action: 'sign_endorsement', codes: ['A.72'] },
    })
    const ofCase = (says: string) => warningOf(cases.find((one) => one.says === says)!)?.fix
    expect(ofCase('no certificate on record')).toMatchObject({ action: 'record_certificate', orgUserId: 3 })
    expect(ofCase('a single-engine instructor in a twin')).toMatchObject({
      action: 'choose_instructor',
      orgUserIds: [],
    })
    expect(ofCase('a pilot certificate alone')).toMatchObject({ action: 'record_certificate', orgUserId: 1 })
  })

  test('tell an outsider only that somebody cannot be booked', () => {
    const actor = { orgUserId: 50, roles: roles('renter') }
    const [warning] = judge(booked(complex, { actor })).warnings
    expect(warning).toMatchObject({ rule: 'eligibility', code: 'NOT_ELIGIBLE', orgUserId: 3 })
    expect(JSON.stringify(warning)).not.toMatch(/complex|A\.72|61\.31|known/)
  })
})

describe('the rule set to block', () => {
  const blocking = (blockedSince?: string) =>
    settings({ rules: { pilot_rating: { enforcement: 'block', ...(blockedSince && { blockedSince }) } } })
  const problemsOn = (says: string, now: string) =>
    judge(
      booked(cases.find((one) => one.says === says)!, {
        settings: blocking('2026-05-01T23:00:00-04:00'),
        now: at(now),
        booking: times({
          type: 'rental',
          start: at('2026-08-01T10:00:00-04:00'),
          end: at('2026-08-01T12:00:00-04:00'),
        }),
      }),
    ).problems.map(({ rule }) => rule)

  // 1 May is day 0 in New York; day 30 is 31 May, whose last minute is 03:59 UTC of 1 June.
  test.each([
    ['on day 0', '2026-05-02T03:30:00Z', []],
    ['on day 30', '2026-05-31T12:00:00Z', []],
    ['in the last minute of day 30', '2026-06-01T03:59:00Z', []],
    ['on day 31', '2026-06-01T04:00:00Z', ['pilot_rating']],
  ])('warns of what is not on record %s', (_name, now, expected) => {
    expect(problemsOn('no certificate on record', now)).toEqual(expected)
  })

  test('refuses at once what is known to be missing', () => {
    expect(problemsOn('a student', '2026-05-02T03:30:00Z')).toEqual(['pilot_rating'])
    expect(problemsOn('without ratings', '2026-05-02T03:30:00Z')).toEqual(['pilot_rating'])
  })

  test('refuses what is not on record when no first day is kept', () => {
    const unknown = cases.find((one) => one.says === 'no certificate on record')!
    expect(judge(booked(unknown, { settings: blocking() })).problems).toMatchObject([{ rule: 'pilot_rating' }])
  })
})

describe('all who judge', () => {
  const codes = ['ASEL', 'AMEL', 'airplane_single_engine_land', 'IR-A', 'RH', 'CFI-ASE', 'CFI-AME', 'CFII-A', 'ace']
  const some = fc.subarray(codes)
  const grade = fc.constantFrom(null, 'student', 'private', 'commercial', 'airline_transport')
  const held: fc.Arbitrary<RatingFacts> = fc.record({
    pilot: fc.option(fc.record({ grade, ratings: some })),
    instructor: fc.option(fc.record({ ratings: some })),
    loggedBefore: fc.subarray(['CPX', 'HP', 'TW']),
    hours: fc.array(fc.record({ makeAndModel: fc.constantFrom('PA-44', 'C172'), picDeciHours: fc.nat(100) }), {
      maxLength: 2,
    }),
    endorsed: fc.array(
      fc.record({
        rating: fc.constantFrom('CPX', 'HP', 'TW'),
        expiresAt: fc.constantFrom(null, at('2026-06-02T12:00:00Z')),
      }),
      { maxLength: 2 },
    ),
    logged: fc.constantFrom([], [{ make: 'Piper', model: 'PA-44', endorsedAs: [], picTenths: 60 }]),
  })
  const random = fc.record({
    type: fc.constantFrom('rental' as const, 'shared' as const, 'dual' as const, 'guest' as const),
    on: fc.constantFrom(...(Object.keys(aircraft) as (keyof typeof aircraft)[]).filter((key) => key !== 'simulator')),
    held,
    instrument: fc.boolean(),
  })
  const days = fc.constantFrom('2026-04-01T12:00:00Z', '2026-05-20T12:00:00Z')

  test('agree on 10,000 random bookings: creating, openings, release and at risk', () => {
    let refused = 0
    fc.assert(
      fc.property(random, days, (one, blockedSince) => {
        const rules = { pilot_rating: { enforcement: 'block' as const, blockedSince } }
        const given = booked({ ...one, says: '', found: [] }, { settings: settings({ rules }) })
        const { problems } = judge(given)
        const isRefused = problems.some(({ rule }) => rule === 'pilot_rating')
        if (isRefused) refused += 1
        const { seats, resource, ...base } = given
        const offered = atOnce(openingsAt({ ...base, choices: [{ resource, crews: [seats] }] }, given.booking.start))
        expect(offered.length > 0).toBe(problems.length === 0)
        const { checks } = ruleChecks({ booking: given, reservation: reservation(given), callerName: 'Dee' })
        expect(checks.some(({ rule, status }) => rule === 'pilot_rating' && status === 'block')).toBe(isRefused)
        const found = findingsOf(outcomesOf(given, checksOf(given)))
        expect(flagOf(1, found, found)?.rules.includes('pilot_rating') ?? false).toBe(isRefused)
      }),
      { numRuns: 10_000 },
    )
    expect(refused).toBeGreaterThan(1_000)
  })

  test('only warn where a school records nothing: by default, and in the first 30 days of block', () => {
    const block = { pilot_rating: { enforcement: 'block' as const, blockedSince: '2026-05-20T12:00:00Z' } }
    fc.assert(
      fc.property(random, fc.constantFrom({}, block), (one, rules) => {
        const given = booked({ ...one, held: none, says: '', found: [] }, { settings: settings({ rules }) })
        expect(judge(given).problems).toEqual([])
      }),
    )
  })

  const reservation = ({ booking: { start } }: BookingFacts) => ({ id: 1, title: 'Flight', start })
})
