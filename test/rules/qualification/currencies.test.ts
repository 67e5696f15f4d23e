import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expiryOf, lapseAfter } from '../../../src/shared/qualification/currencies/currency.rules.ts'
import { currencyStateAt } from '../../../src/shared/qualification/currencies/currency-state.rules.ts'
import { at, currency, facts, member, problemsOf, times } from '../scheduling/booking-facts.ts'

const NEW_YORK = 'America/New_York'
const unread = { id: 1, medicalClass: null, courseAt: null, endedOn: null }
const expiring = { requires: { kind: 'expiring' as const }, warnDays: 30 }
const recent = { requires: { kind: 'recent_flights' as const, count: 3, days: 90 }, warnDays: 30 }

describe('an expiring currency (§Currencies)', () => {
  const completedAt = at('2024-06-10T15:00:00Z')
  const held = (expiresAt: string | null) => ({
    record: { ...unread, completedAt, expiresAt: expiresAt === null ? null : at(expiresAt) },
    flights: [],
    hours: [],
    pilot: null,
  })
  const now = at('2026-06-02T14:00:00Z')

  test.each([
    ['more than the warning away', '2026-07-02T14:00:00.001Z', 'current'],
    ['as far away as the warning', '2026-07-02T14:00:00Z', 'expiring'],
    ['a moment away', '2026-06-02T14:00:00.001Z', 'expiring'],
    ['now', '2026-06-02T14:00:00Z', 'expired'],
    ['gone', '2026-01-01T00:00:00Z', 'expired'],
    ['never', null, 'current'],
  ])('whose end is %s', (_what, expiresAt, status) => {
    const evidence = held(expiresAt)
    const { completedAt, expiresAt: end } = evidence.record
    expect(currencyStateAt(now, expiring, evidence, NEW_YORK)).toMatchObject({ completedAt, expiresAt: end, status })
  })

  test('with no date on record is missing', () => {
    const nothing = { completedAt: null, expiresAt: null, status: 'missing' }
    const evidence = { record: null, hours: [], flights: [{ id: 1, flownAt: now }], pilot: null }
    expect(currencyStateAt(now, expiring, evidence, NEW_YORK)).toMatchObject(nothing)
  })

  test.each([
    // A flight review in June 2026 is good to the end of June 2028, in New York.
    ['2026-06-10T15:00:00Z', 24, '2028-07-01T04:00:00Z'],
    // Late in the evening of 31 January in New York it is February in UTC.
    ['2026-02-01T03:00:00Z', 1, '2026-03-01T05:00:00Z'],
    ['2026-06-10T15:00:00Z', null, null],
  ])('completed %s and good for %s calendar months ends %s', (completed, months, expected) => {
    expect(expiryOf(at(completed), months, NEW_YORK)).toEqual(expected && at(expected))
  })
})

describe('recent flights (§Currencies)', () => {
  const flown = (...dates: string[]) => ({
    record: null,
    hours: [],
    pilot: null,
    flights: dates.map((date, id) => ({ id, flownAt: at(`${date}T18:00:00Z`) })),
  })
  const on = (now: string, evidence: ReturnType<typeof flown>) => currencyStateAt(at(now), recent, evidence, NEW_YORK)

  test('count for as many local days after the flight that completes the number', () => {
    // The third latest is of 1 March; 90 days later is 30 May, and 31 May begins at 04:00 UTC.
    const evidence = flown('2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01')
    const lapses = at('2026-05-31T04:00:00Z')
    const latest = at('2026-05-01T18:00:00Z')
    expect(on('2026-05-02T12:00:00Z', evidence)).toMatchObject({
      completedAt: latest,
      expiresAt: lapses,
      validUntil: '2026-05-30',
      status: 'expiring',
    })
    expect(on('2026-05-31T03:59:59Z', evidence).status).toBe('expiring')
    expect(on('2026-05-31T04:00:00Z', evidence).status).toBe('expired')
  })

  test.each([
    // 1 March and 90 days are 30 May; in New York 31 May begins at 04:00 UTC.
    ['2026-03-01T18:00:00Z', 90, NEW_YORK, '2026-05-31T04:00:00Z'],
    // Late in the evening of 1 March in New York it is 2 March in UTC.
    ['2026-03-02T04:30:00Z', 90, NEW_YORK, '2026-05-31T04:00:00Z'],
    ['2026-03-02T04:30:00Z', 90, 'UTC', '2026-06-01T00:00:00Z'],
    // Over the change of clocks on 8 March: the day after the 8th begins at 04:00 UTC, the one before at 05:00.
    ['2026-03-06T18:00:00Z', 1, NEW_YORK, '2026-03-08T05:00:00Z'],
    ['2026-03-07T18:00:00Z', 1, NEW_YORK, '2026-03-09T04:00:00Z'],
    ['2027-02-01T00:00:00Z', 28, 'UTC', '2027-03-02T00:00:00Z'],
  ])('whose deciding one was at %s have lapsed %i days later in %s at %s', (flown, days, zone, lapse) => {
    expect(lapseAfter(at(flown), days, zone)).toEqual(at(lapse))
  })

  test('are lapsed when they are too few, and missing when there are none', () => {
    expect(on('2026-05-02T12:00:00Z', flown('2026-04-01', '2026-05-01')).status).toBe('expired')
    expect(on('2026-05-02T12:00:00Z', flown()).status).toBe('missing')
    expect(on('2026-05-02T12:00:00Z', flown('2026-05-03', '2026-05-04', '2026-05-05')).status).toBe('missing')
  })

  test.each([
    // Of the three, those from 19 February on count on 20 May.
    ['2026-05-20T12:00:00Z', ['2026-01-01', '2026-01-02', '2026-05-01'], 2],
    ['2026-05-20T12:00:00Z', ['2026-01-01', '2026-03-01', '2026-05-01'], 1],
    ['2026-05-20T12:00:00Z', ['2025-01-01', '2025-01-02', '2025-01-03'], 3],
    // Good to 30 May; on 31 May, those of 2 March and later count.
    ['2026-05-20T12:00:00Z', ['2026-03-01', '2026-03-01', '2026-05-01'], 2],
  ])('need on %s, with %j', (now, dates, count) => {
    expect(on(now, flown(...dates)).needs).toEqual([{ action: 'flights', count, by: null }])
  })

  test('are judged at every moment as a booking that starts then is judged', () => {
    const hours = fc.array(fc.integer({ min: 0, max: 200 * 24 }), { maxLength: 8 })
    const rule = fc.record({ count: fc.integer({ min: 1, max: 4 }), days: fc.integer({ min: 1, max: 100 }) })
    fc.assert(
      fc.property(hours, rule, fc.integer({ min: 0, max: 300 * 24 * 4 }), (flights, { count, days }, quarter) => {
        const flownAt = flights.map((hour) => new Date(Date.UTC(2026, 0, 1, hour)))
        const now = new Date(Date.UTC(2026, 0, 1, 0, quarter * 15))
        const requires = { kind: 'recent_flights' as const, count, days }
        const judged = {
          record: null,
          hours: [],
          pilot: null,
          flights: flownAt.map((flown, id) => ({ id, flownAt: flown })),
        }
        const { status } = currencyStateAt(now, { requires, warnDays: 5 }, judged, NEW_YORK)
        const student = member('students', 2, 'Ben Okafor', {
          signedFlights: flownAt.map((flown) => ({ currencyId: 1, flownAt: flown })),
        })
        const recency = currency({ id: 1, name: 'Recency', roles: ['student'], requires })
        const problems = problemsOf(
          facts({
            now,
            booking: times({ start: now, end: new Date(now.getTime() + 3_600_000) }),
            seats: [member('instructors', 1, 'Ana Ruiz'), student],
            currencies: [recency],
          }),
        )
        expect(status === 'current' || status === 'expiring').toBe(problems.length === 0)
      }),
    )
  })
})

describe('hours in aircraft (§Currencies)', () => {
  const flownIn = (...hours: [string, number][]) => ({
    record: null,
    flights: [],
    pilot: null,
    hours: hours.map(([date, tenths], id) => ({
      id,
      flownAt: at(`${date}T18:00:00Z`),
      tenths,
      aircraft: { category: 'airplane', class: null, type: null, tailwheel: false, model: null, modelKeys: [] },
    })),
  })

  test.each<[string, number | null, [string, number][], string, number]>([
    // 5.0 h in 90 days: those of 10 January count to 10 April.
    [
      '2026-05-20T12:00:00Z',
      90,
      [
        ['2026-01-10', 30],
        ['2026-03-01', 30],
      ],
      'expired',
      20,
    ],
    ['2026-05-20T12:00:00Z', 90, [['2026-01-10', 60]], 'expired', 50],
    [
      '2026-05-20T12:00:00Z',
      90,
      [
        ['2025-01-10', 20],
        ['2026-05-01', 10],
      ],
      'expired',
      40,
    ],
    [
      '2026-04-01T12:00:00Z',
      90,
      [
        ['2026-01-10', 30],
        ['2026-03-01', 30],
      ],
      'expiring',
      20,
    ],
    [
      '2026-05-20T12:00:00Z',
      null,
      [
        ['2024-01-10', 20],
        ['2026-03-01', 10],
      ],
      'missing',
      20,
    ],
  ])('need on %s, in %s days, with %j', (now, days, hours, status, count) => {
    const requires = { kind: 'hours_in_model' as const, deciHours: 50, days, scope: 'any' as const }
    expect(currencyStateAt(at(now), { requires, warnDays: 30 }, flownIn(...hours), NEW_YORK)).toMatchObject({
      status,
      needs: [{ action: 'hours', count, by: null }],
    })
  })
})
