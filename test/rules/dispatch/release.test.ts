import { describe, expect, test } from 'vitest'
import { releaseOf } from '../../../src/shared/dispatch/release.rules.ts'
import type { ReleaseFacts } from '../../../src/shared/dispatch/release.types.ts'
import { hundredths } from '../../../src/shared/platform/kernel/units.ts'
import { at, currency, facts, guest, member, plane, roles, settings, times } from '../scheduling/booking-facts.ts'

const now = at('2026-06-02T14:00:00Z')
const noMeters = { hobbs: null, tach: null }

/** Ana and Ben leave on N12345 at ten, as a dispatcher sees it: nothing stands in the way. */
function leaving(over: Partial<ReleaseFacts> = {}): ReleaseFacts {
  return {
    booking: facts({ now, booking: times({ id: 12 }) }),
    reservation: { id: 12, title: 'Lesson 4', start: now },
    callerName: 'Dana Reyes',
    squawks: [],
    acknowledged: [],
    outOn: null,
    meters: { hobbs: hundredths(100_000), tach: hundredths(90_000) },
    readings: noMeters,
    files: [],
    requiredFiles: [],
    rampOutLeadMinutes: 240,
    ...over,
  }
}

/** The verdict, and the lines that are not ok. */
function outcomeOf(given: ReleaseFacts) {
  const { verdict, checks } = releaseOf(given)
  const told = checks.filter(({ status }) => status !== 'ok').map(({ rule, status }) => `${rule} ${status}`)
  return [verdict, ...told]
}

const inspection = (over: { grounding: boolean; due: number }) => ({
  id: 9,
  name: '100-hour',
  scope: 'all' as const,
  grounding: over.grounding,
  limits: [{ basis: 'tach' as const, dueAt: null, due: hundredths(over.due), reads: hundredths(90_000) }],
})
/** Two booked hours on a tach of 900.00 pass 901.50, and not 902.00. */
const crossing = (grounding: boolean, due = 90_150) =>
  facts({ now, resource: plane({ inspections: [inspection({ grounding, due })] }) })
const light = { id: 31, title: 'Landing light is out', grounding: false }
const strut = { id: 32, title: 'Nose strut is flat', grounding: true }
const papers = (expiresAt: string | null) => [
  { category: 'registration', expiresAt: expiresAt === null ? null : at(expiresAt) },
]

describe('a release (interface §Dispatch)', () => {
  test.each<[string, Partial<ReleaseFacts>, string[]]>([
    ['of a flight that nothing stands against', {}, ['released']],
    ['with an open squawk', { squawks: [light] }, ['advisory', 'open_squawk warn']],
    ['with one that was read', { squawks: [light], acknowledged: [31] }, ['released']],
    ['with one that grounds, read or not', { squawks: [strut], acknowledged: [32] }, ['blocked', 'open_squawk block']],
    ['with two', { squawks: [light, strut] }, ['blocked', 'open_squawk warn', 'open_squawk block']],
    [
      'that would pass an inspection',
      { booking: crossing(false) },
      ['advisory', 'inspection_due warn', 'inspection_crossed warn'],
    ],
    [
      'that would pass one that grounds',
      { booking: crossing(true) },
      ['blocked', 'inspection_due warn', 'inspection_crossed block'],
    ],
    ['that ends as one is due', { booking: crossing(true, 90_200) }, ['released']],
    ['with readings that fit', { readings: { hobbs: hundredths(100_010), tach: hundredths(89_990) } }, ['released']],
    [
      'with a reading further away',
      { readings: { hobbs: hundredths(100_011), tach: hundredths(90_000) } },
      ['advisory', 'meter_gap warn'],
    ],
    ['of an aircraft that is still out', { outOn: 5 }, ['blocked', 'resource_out block']],
    ['without an aircraft', { booking: facts({ now, resource: null }) }, ['blocked', 'resource_missing block']],
    [
      'four hours before the start',
      { reservation: { id: 12, title: '', start: at('2026-06-02T18:00:00Z') } },
      ['released'],
    ],
    [
      'more than four hours before it',
      { reservation: { id: 12, title: '', start: at('2026-06-02T18:00:01Z') } },
      ['advisory', 'early_ramp_out warn'],
    ],
    ['with its papers', { requiredFiles: ['registration'], files: papers(null) }, ['released']],
    ['without them', { requiredFiles: ['registration'] }, ['advisory', 'aircraft_file warn']],
    [
      'with papers that have expired',
      { requiredFiles: ['registration'], files: papers('2026-06-02T14:00:00Z') },
      ['advisory', 'aircraft_file warn'],
    ],
    [
      'of a grounded aircraft',
      { booking: facts({ now, resource: plane({ grounded: true }) }) },
      ['blocked', 'resource_grounded block'],
    ],
  ])('%s', (_name, over, expected) => {
    expect(outcomeOf(leaving(over))).toEqual(expected)
  })

  test('says of no rule of the whole booking that it is met beside what it found of a person or the aircraft', () => {
    const alone = { now, booking: times({ id: 12, type: 'solo' }), seats: [member('students', 2, 'Ben Okafor')] }
    const rowsOf = (booking: ReleaseFacts['booking'], asked: string) =>
      releaseOf(leaving({ booking })).checks.flatMap(({ rule, status, subject }) =>
        rule === asked ? [`${status} ${subject.name}`] : [],
      )
    expect(rowsOf(facts(alone), 'endorsement')).toEqual(['warn Ben Okafor'])
    expect(rowsOf(facts({ now, resource: plane({ grounded: true }) }), 'resource_grounded')).toEqual(['block N12345'])
    expect(rowsOf(facts({ now }), 'endorsement')).toEqual(['ok Lesson 4'])
  })

  test('answers what is met too: one line for a rule and whom it is about', () => {
    const { checks } = releaseOf(leaving())
    const lines = checks.map(({ rule, subject }) => `${rule} ${subject.name}`)
    expect(new Set(lines).size).toBe(lines.length)
    expect(lines).toEqual(
      expect.arrayContaining([
        'person_clash Ana Ruiz',
        'person_clash Ben Okafor',
        'resource_grounded N12345',
        'side_limit Lesson 4',
        'open_squawk N12345',
        'resource_out N12345',
      ]),
    )
  })

  test('shows what was overridden as met, with by whom', () => {
    const by = { orgUserId: 9, name: 'Olga Berg' }
    const kept = {
      rule: 'inspection_due' as const,
      orgUserId: null,
      resourceId: 7,
      startsAt: now,
      reason: 'Ferry',
      by,
      at: now,
    }
    const booking = { ...crossing(true), overrides: { given: [], kept: [kept] } }
    const { verdict, checks } = releaseOf(leaving({ booking: { ...booking, booking: times({ id: 12, start: now }) } }))
    expect(verdict).toBe('released')
    expect(checks.filter(({ overriddenBy }) => overriddenBy)).toMatchObject([
      { rule: 'inspection_due', status: 'ok', overriddenBy: by },
      { rule: 'inspection_crossed', status: 'ok', overriddenBy: by },
    ])
  })
})

describe('what a release tells a renter of somebody else', () => {
  const lapsed = { currencyRecords: [{ currencyId: 5, expiresAt: at('2026-05-31T04:00:00Z') }] }
  const held = { currencyRecords: [{ currencyId: 5, expiresAt: null }] }
  const linesOf = (paul: object, enforcement: 'warn' | 'block') => {
    const seats = [member('renters', 3, 'Rita Lange', held), member('renters', 4, 'Paul Lange', paul), guest(1, 'Gil')]
    const booking = facts({
      now,
      seats,
      actor: { orgUserId: 3, roles: roles('renter') },
      booking: times({ type: 'rental' }),
      currencies: [currency({ enforcement })],
      settings: settings({ requiredDocuments: {} }),
    })
    const { checks } = releaseOf(leaving({ booking }))
    return checks.filter(({ subject }) => subject.orgUserId === 4).map(({ rule, status }) => `${rule} ${status}`)
  }

  test('is one line, whatever stands against them', () => {
    expect(linesOf(held, 'block').filter((line) => line.startsWith('eligibility'))).toEqual(['eligibility ok'])
    expect(linesOf(lapsed, 'warn').filter((line) => line.startsWith('eligibility'))).toEqual(['eligibility warn'])
    expect(linesOf(lapsed, 'block').filter((line) => line.startsWith('eligibility'))).toEqual(['eligibility block'])
    const rules = (paul: object) => linesOf(paul, 'block').filter((line) => !line.startsWith('eligibility'))
    expect(rules(lapsed)).toEqual(rules(held))
    expect(rules(lapsed).some((line) => line.startsWith('currency') || line.startsWith('documents'))).toBe(false)
  })
})

describe('a solo flight that is released', () => {
  test.each([
    [null, 'This solo flight is local'],
    [{ airport: 'KFRG', crossCountry: null, classB: true }, 'This solo flight is to KFRG, in Class B airspace'],
    [{ airport: null, crossCountry: 'beyond' as const, classB: false }, 'This solo flight is beyond 50 NM'],
  ])('says where it goes: %j', (solo, message) => {
    const seats = [member('students', 2, 'Ben Okafor')]
    const booking = facts({ now: at('2026-06-02T14:00:00Z'), booking: times({ type: 'solo', solo }), seats })
    const { checks } = releaseOf(leaving({ booking }))
    expect(checks.find(({ rule }) => rule === 'solo_route')).toMatchObject({ status: 'ok', message })
  })
})
