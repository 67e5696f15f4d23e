import { describe, expect, test } from 'vitest'
import { scopeKey, scopesOf } from '../../../src/shared/qualification/currencies/currency-scopes.rules.ts'
import {
  type CurrencyEvidence,
  currencyStateAt,
  type RecordedDates,
  type Requirement,
} from '../../../src/shared/qualification/currencies/currency-state.rules.ts'
import { assertEndsOn, beginsAgain } from '../../../src/shared/qualification/currencies/ended.rules.ts'
import { recordedDates } from '../../../src/shared/qualification/currencies/new-record.rules.ts'
import type { PilotFacts, RenewingEndorsement } from '../../../src/shared/qualification/currencies/recency.types.ts'
import { renewingEndorsements } from '../../../src/shared/qualification/currencies/renewing-endorsements.rules.ts'
import { editions, templatesOf } from '../../../src/shared/training/endorsements/endorsement-templates.ts'
import { flown, single } from './pilot-flights.ts'

const ZONE = 'America/Chicago'
const at = (day: string) => new Date(`${day}T18:00:00Z`)
const nobody: PilotFacts = {
  birthDate: null,
  certificated: true,
  instructorEnd: null,
  flights: [],
  endorsements: [],
  tests: [],
}

const record = (day: string, over: Partial<RecordedDates> = {}): RecordedDates => ({
  id: 4,
  completedAt: at(day),
  expiresAt: null,
  medicalClass: null,
  courseAt: null,
  endedOn: null,
  ...over,
})
const endorsed = (renews: RenewingEndorsement['renews'], day: string, end: string | null = null) => ({
  id: 8,
  renews,
  at: at(day),
  expiresAt: end === null ? null : new Date(`${end}T04:59:59.999Z`),
})

interface Case {
  requires: Requirement
  pilot?: Partial<PilotFacts>
  record?: RecordedDates
  now: string
}

function stateOf({ requires, pilot = {}, record: held, now }: Case) {
  const evidence: CurrencyEvidence = { record: held ?? null, flights: [], hours: [], pilot: { ...nobody, ...pilot } }
  return currencyStateAt(new Date(now), { requires, warnDays: 30 }, evidence, ZONE, single)
}

const review: Requirement = { kind: 'flight_review' }
const medical: Requirement = { kind: 'medical', privilege: 'private' }
const instructor: Requirement = { kind: 'instructor_certificate' }
const day: Requirement = { kind: 'passenger_day' }
const three = flown('2026-03-01', { dayTakeoffs: 3, dayLandings: 3 })

describe('a currency that somebody ended (§Currencies)', () => {
  const third = (over: Partial<RecordedDates> = {}) =>
    record('2026-01-10', { medicalClass: 'third', endedOn: '2026-03-05', ...over })
  const expiring: Requirement = { kind: 'expiring' }

  test.for([
    ['a medical', medical, third(), '2026-03-04'],
    ['an instructor certificate', instructor, record('2026-01-10', { endedOn: '2026-03-05' }), '2026-03-04'],
    ['a date without an end', expiring, record('2026-01-10', { endedOn: '2026-03-05' }), '2026-03-04'],
  ] as const)('%s is not met from the start of that day', ([, requires, held, validUntil]) => {
    const state = stateOf({ requires, record: held, now: '2026-03-05T06:00:00Z' })
    expect(state).toMatchObject({ status: 'expired', endedEarly: true, validUntil })
    expect(state.expiresAt).toEqual(new Date('2026-03-05T06:00:00Z'))
    expect(state.needs[0]).toEqual({ action: 'record', count: null, by: null })
    expect(stateOf({ requires, record: held, now: '2026-03-05T05:59:59.999Z' }).status).toBe('expiring')
  })

  test('is valid for no privilege after it', () => {
    const held = third({ medicalClass: 'first' })
    const { privileges } = stateOf({ requires: medical, record: held, now: '2026-04-01T12:00:00Z' })
    expect(privileges?.map(({ validUntil }) => validUntil)).toEqual(['2026-03-04', '2026-03-04', '2026-03-04'])
  })

  test('after its own end keeps its own end', () => {
    const held = record('2026-01-10', { expiresAt: at('2026-02-01'), endedOn: '2026-03-05' })
    expect(stateOf({ requires: expiring, record: held, now: '2026-04-01T12:00:00Z' })).toMatchObject({
      status: 'expired',
      endedEarly: false,
      expiresAt: at('2026-02-01'),
    })
  })

  test('begins again with dates whose local day is after it', () => {
    expect(beginsAgain(new Date('2026-03-06T05:59:59Z'), '2026-03-05', ZONE)).toBe(false)
    expect(beginsAgain(new Date('2026-03-06T06:00:00Z'), '2026-03-05', ZONE)).toBe(true)
  })

  test.for([
    ['tomorrow', '2026-03-06', 'on: is in the future'],
    ['61 days ago', '2026-01-03', 'on: is more than 60 days ago'],
    ['before the record', '2026-01-09', 'on: is before the recorded date, 2026-01-10'],
  ] as const)('is not ended %s', ([, on, message]) => {
    const completedAt = at(on < '2026-01-09' ? '2025-12-01' : '2026-01-10')
    expect(() => assertEndsOn(on, completedAt, new Date('2026-03-05T18:00:00Z'), ZONE)).toThrow(message)
  })

  test('is ended today, 60 days ago, and on the day of the record', () => {
    for (const on of ['2026-03-05', '2026-01-04', '2026-01-10']) {
      const completedAt = at(on < '2026-01-10' ? '2025-12-01' : '2026-01-10')
      expect(() => assertEndsOn(on, completedAt, new Date('2026-03-05T18:00:00Z'), ZONE)).not.toThrow()
    }
  })
})

describe('a currency of a regulation (§Currencies)', () => {
  test.for([
    // The last good day is a local one: at 03:30 UTC on 31 May it is still 30 May in Chicago.
    [
      'passengers',
      { requires: day, pilot: { flights: [three] }, now: '2026-05-31T03:30:00Z' },
      'expiring',
      '2026-05-30',
    ],
    [
      'passengers',
      { requires: day, pilot: { flights: [three] }, now: '2026-05-31T05:00:00Z' },
      'expired',
      '2026-05-30',
    ],
    [
      'passengers',
      { requires: day, pilot: { flights: [three] }, now: '2026-03-02T18:00:00Z' },
      'current',
      '2026-05-30',
    ],
    ['passengers', { requires: day, now: '2026-03-02T18:00:00Z' }, 'missing', null],
    [
      'a review',
      { requires: review, record: record('2024-05-10'), now: '2026-06-01T04:59:59Z' },
      'expiring',
      '2026-05-31',
    ],
    [
      'a review',
      { requires: review, record: record('2024-05-10'), now: '2026-06-01T05:00:00Z' },
      'expired',
      '2026-05-31',
    ],
    [
      'a review by endorsement',
      {
        requires: review,
        pilot: { endorsements: [endorsed('flight_review', '2025-02-03')] },
        now: '2026-06-01T05:00:00Z',
      },
      'current',
      '2027-02-28',
    ],
    [
      'a review by a practical test',
      { requires: review, pilot: { tests: [{ id: 5, at: at('2025-02-03') }] }, now: '2026-06-01T05:00:00Z' },
      'current',
      '2027-02-28',
    ],
    [
      'a review by a practical test still to come',
      { requires: review, pilot: { tests: [{ id: 5, at: at('2026-06-03') }] }, now: '2026-06-01T05:00:00Z' },
      'missing',
      null,
    ],
    [
      'a review of somebody whose solo endorsement is valid',
      {
        requires: review,
        pilot: { certificated: false, endorsements: [endorsed('solo', '2026-04-02', '2026-07-02')] },
        now: '2026-05-01T05:00:00Z',
      },
      'current',
      '2026-07-01',
    ],
    [
      'a review of a pilot, whom a solo endorsement does not help',
      {
        requires: review,
        pilot: { endorsements: [endorsed('solo', '2026-04-02', '2026-07-02')] },
        now: '2026-05-01T05:00:00Z',
      },
      'missing',
      null,
    ],
    [
      'a medical',
      {
        requires: medical,
        record: record('2025-03-14', { medicalClass: 'third' }),
        pilot: { birthDate: '1986-05-02' },
        now: '2027-05-01T05:00:00Z',
      },
      'current',
      '2030-03-31',
    ],
    [
      'a medical without a birth date',
      { requires: medical, record: record('2025-03-14', { medicalClass: 'third' }), now: '2027-05-01T05:00:00Z' },
      'expired',
      '2027-03-31',
    ],
    [
      'an instructor',
      { requires: instructor, pilot: { instructorEnd: '2027-03-31' }, now: '2027-04-01T04:59:59Z' },
      'expiring',
      '2027-03-31',
    ],
    [
      'an instructor',
      { requires: instructor, pilot: { instructorEnd: '2027-03-31' }, now: '2027-04-01T05:00:00Z' },
      'expired',
      '2027-03-31',
    ],
  ] as const)('%s: %o', ([_what, facts, status, validUntil]) => {
    const state = stateOf(facts as unknown as Case)
    expect(state).toMatchObject({ status, validUntil })
    expect(state.needs.length > 0).toBe(status !== 'current')
  })

  test('ends with the first moment after its last day, and says by what until then', () => {
    const state = stateOf({
      requires: { kind: 'instrument' },
      record: record('2026-10-12'),
      now: '2026-10-20T05:00:00Z',
    })
    expect(state).toMatchObject({
      completedAt: at('2026-10-12'),
      expiresAt: new Date('2027-05-01T05:00:00Z'),
      validUntil: '2027-04-30',
      graceUntil: '2027-10-31',
      privileges: null,
      needs: [],
      status: 'current',
      evidence: [{ kind: 'record', id: 4, at: at('2026-10-12'), counted: null }],
    })
  })
})

describe('the aircraft of a standing (§Currencies)', () => {
  const tailwheel = { ...single, tailwheel: true }
  const flights = [
    flown('2026-05-01', {}),
    flown('2026-05-02', {}),
    flown('2026-05-03', {}, tailwheel),
    flown('2025-05-01', {}, { ...single, category: 'helicopter' }),
    { ...flown('2026-05-04', {}), device: true },
  ]
  const keys = (kind: Parameters<typeof scopesOf>[0], pilot: PilotFacts | null) =>
    scopesOf(kind, pilot, new Date('2026-06-01T00:00:00Z'), ZONE).map(scopeKey)

  test('is each kind that was flown within a year, by category alone for instrument flight', () => {
    const pilot = { ...nobody, flights }
    expect(keys('passenger_day', pilot)).toEqual([
      'airplane single_engine_land',
      'airplane single_engine_land tailwheel',
    ])
    expect(keys('instrument', pilot)).toEqual(['airplane'])
  })

  test('is none of who flew nothing, and of what no aircraft decides', () => {
    expect(keys('passenger_night', null)).toEqual([''])
    expect(keys('medical', { ...nobody, flights })).toEqual([''])
  })
})

test('the endorsements that renew a currency are those of the catalog, with the reviews in a Robinson', () => {
  for (const edition of editions) {
    const robinson = edition === 'AC 61-65K' ? ['A.64', 'A.68'] : ['A.60', 'A.64']
    for (const { renews, codes } of renewingEndorsements) {
      const catalog = templatesOf(edition).filter((one) => one.renews === renews)
      const expected = [...catalog.map(({ code }) => code), ...(renews === 'flight_review' ? robinson : [])]
      expect([...codes[edition]!].sort()).toEqual(expected.sort())
    }
  }
})

describe('dates that are recorded (§Currencies)', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const past = new Date('2026-01-10T12:00:00Z')
  const given = (kind: Parameters<typeof recordedDates>[0]['kind'], dates: object) => () =>
    recordedDates({ kind, validCalendarMonths: null }, dates, now, ZONE)

  test.for([
    ['passenger_day', { completedAt: past }, /counted from flights/],
    ['medical', { examinedAt: past }, /^class: is required/],
    ['medical', { class: 'third' }, /^examinedAt: is required/],
    ['medical', { class: 'third', examinedAt: new Date('2026-12-01T00:00:00Z') }, /^examinedAt: is in the future/],
    ['medical', { class: 'basic', examinedAt: past }, /^courseAt: is required/],
    ['medical', { class: 'third', examinedAt: past, courseAt: past }, /^courseAt: is for BasicMed/],
    ['medical', { class: 'third', examinedAt: past, expiresAt: null }, /^expiresAt: follows from the regulation/],
    ['flight_review', {}, /^completedAt: is required/],
    ['flight_review', { completedAt: past, class: 'third' }, /^class: is for medicals/],
    ['flight_review', { completedAt: past, expiresAt: null }, /^expiresAt: follows from the regulation/],
  ] as const)('of %s are refused as %o', ([kind, dates, message]) => {
    expect(given(kind, dates)).toThrow(message)
  })

  test('of a medical are its class, examination and course', () => {
    expect(given('medical', { class: 'basic', examinedAt: past, courseAt: past })()).toEqual({
      completedAt: past,
      expiresAt: null,
      medicalClass: 'basic',
      courseAt: past,
    })
  })
})
