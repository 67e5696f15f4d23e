import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  firstDue,
  type Limit,
  limitAfter,
  limitStatus,
  type MaintenanceDue,
  type MeterReadings,
  maintenanceStatus,
  maintenanceStatuses,
  overdueMessage,
  passedLimit,
} from '../../../src/shared/fleet/maintenance/maintenance-item.rules.ts'
import { type Hundredths, hundredths } from '../../../src/shared/platform/kernel/units.ts'
import { localDate } from '../../../src/shared/platform/kernel/zones.ts'

const zone = 'America/New_York'
const at = (day: string) => new Date(`${day}T12:00:00-05:00`)
/** A reading as the meter shows it: 1000.4. */
const reads = (reading: number): Hundredths => hundredths(Math.round(reading * 100))
const meters = (over: Partial<MeterReadings> = {}): MeterReadings => ({
  hobbs: null,
  tach: null,
  landings: null,
  ...over,
})

function limit(over: Partial<Limit>): Limit {
  const none = { intervalMonths: null, intervalDays: null, interval: null, lastDoneAt: null, lastDone: null }
  return { basis: 'tach', ...none, dueAt: null, due: null, used: null, ...over }
}

const item = (...limits: Limit[]): MaintenanceDue => ({ limits, warnDays: 30, warnHundredths: reads(10) })
const annual = limit({ basis: 'calendar', intervalMonths: 12, dueAt: new Date('2026-12-01T04:59:59.999Z') })
const hundredHour = limit({ interval: reads(100), due: reads(1100) })

describe('a limit by the calendar', () => {
  test.each([
    ['2026-10-01T00:00:00Z', 'ok'],
    ['2026-11-01T04:59:59.998Z', 'ok'],
    ['2026-11-01T04:59:59.999Z', 'due_soon'],
    ['2026-12-01T04:59:59.999Z', 'due_soon'],
    ['2026-12-01T05:00:00.000Z', 'overdue'],
  ])('is, at %s, %s', (now, expected) => {
    expect(limitStatus(annual, item(), { now: new Date(now), meters: meters() })).toBe(expected)
  })

  test.each([
    ['the annual of 2026-03-10 (14 CFR 91.409(a))', { intervalMonths: 12 }, '2026-03-10', '2027-03-31'],
    ['the annual of 2026-06-03', { intervalMonths: 12 }, '2026-06-03', '2027-06-30'],
    ['the altimeter test of 2026-03-05 (91.411)', { intervalMonths: 24 }, '2026-03-05', '2028-03-31'],
    ['the transponder test of 2025-12-01 (91.413)', { intervalMonths: 24 }, '2025-12-01', '2027-12-31'],
    ['the locator transmitter of 2024-02-29 (91.207(d))', { intervalMonths: 12 }, '2024-02-29', '2025-02-28'],
    ['one month after 2026-01-31', { intervalMonths: 1 }, '2026-01-31', '2026-02-28'],
    ['the VOR check of 2026-06-13 (91.171)', { intervalDays: 30 }, '2026-06-13', '2026-07-13'],
    ['90 days after 2026-12-15', { intervalDays: 90 }, '2026-12-15', '2027-03-15'],
  ])('after %s is good until the end of its last local day', (_what, interval, doneAt, last) => {
    const { dueAt } = limitAfter(
      limit({ basis: 'calendar', ...interval }),
      { doneAt: at(doneAt), meters: meters(), zone },
      false,
    )
    expect(localDate(dueAt!, zone)).toBe(last)
    expect(localDate(new Date(dueAt!.getTime() + 1), zone)).not.toBe(last)
  })

  test('counts from the local day on which the work was done', () => {
    const done = { doneAt: new Date('2026-12-01T04:30:00Z'), meters: meters(), zone }
    expect(limitAfter(annual, done, false).dueAt).toEqual(new Date('2027-12-01T04:59:59.999Z'))
  })

  test('is not due again without an interval', () => {
    const once = limit({ basis: 'calendar', dueAt: at('2026-11-01') })
    const after = limitAfter(once, { doneAt: at('2026-11-01'), meters: meters(), zone }, false)
    expect(after.dueAt).toBeNull()
    expect(limitStatus(after, item(), { now: at('2030-01-01'), meters: meters() })).toBe('ok')
  })
})

describe('a limit by a meter', () => {
  test.each([
    [null, 'unknown'],
    [1089.99, 'ok'],
    [1090, 'due_soon'],
    [1099.99, 'due_soon'],
    [1100, 'overdue'],
    [1110, 'overdue'],
  ])('is, with the tach at %s, %s', (tach, expected) => {
    const now = { now: new Date(0), meters: meters({ hobbs: reads(9_999), tach: tach === null ? null : reads(tach) }) }
    expect(limitStatus(hundredHour, item(), now)).toBe(expected)
  })

  test('is unknown when nothing says since when its interval counts', () => {
    const copied = limit({ interval: reads(100) })
    expect(limitStatus(copied, item(), { now: new Date(0), meters: meters({ tach: reads(5) }) })).toBe('unknown')
  })

  test.each<[string, number, number, boolean, number]>([
    ['late, counts from where it was due', 1000, 1004, true, 1100],
    ['early, counts from its completion', 1000, 996, true, 1096],
    ['after a carried one that is late again', 1100, 1109.5, true, 1200],
    ['15 hours late, by rentals: the safe side', 1000, 1015, true, 1100],
    ['satisfied early by an annual', 1080, 1050, true, 1150],
    ['on the hour', 1000, 1000, true, 1100],
    ['late, without carry', 1000, 1004, false, 1104],
  ])('of 100 hours (14 CFR 91.409(b)), %s: due %d, done %d, carry %s, next %d', (_how, due, done, carry, next) => {
    const inspection = limit({ interval: reads(100), due: reads(due) })
    const after = limitAfter(
      inspection,
      { doneAt: at('2026-06-03'), meters: meters({ tach: reads(done) }), zone },
      carry,
    )
    expect(after).toMatchObject({ lastDone: reads(done), due: reads(next) })
  })

  test('counts landings like hours', () => {
    const gear = limit({ basis: 'landings', interval: reads(500), due: reads(1500) })
    const after = limitAfter(gear, { doneAt: at('2026-06-03'), meters: meters({ landings: reads(1490) }), zone }, false)
    expect(after.due).toBe(reads(1990))
  })

  test('never moves back to a better status while the meter runs', () => {
    const rank = (tach: number) => {
      const status = limitStatus(hundredHour, item(), { now: new Date(0), meters: meters({ tach: hundredths(tach) }) })
      return maintenanceStatuses.indexOf(status)
    }
    fc.assert(fc.property(fc.nat(200_000), fc.nat(1_000), (tach, more) => rank(tach) <= rank(tach + more)))
  })
})

describe('the battery of a locator transmitter, by its use (14 CFR 91.207(c)(1))', () => {
  const battery = (used: number | null) =>
    limit({ basis: 'use', interval: reads(1), due: reads(1), used: used === null ? null : reads(used) })

  test.each([
    ['0.6 hours', 0.6, 'ok'],
    ['0.6 hours and later 0.5', 1.1, 'overdue'],
    ['nobody knows how long', null, 'unknown'],
  ])('is, used for %s, %s', (_what, used, expected) => {
    expect(limitStatus(battery(used), item(), { now: new Date(0), meters: meters() })).toBe(expected)
  })

  test('starts anew when it is replaced, and says why it is due', () => {
    const done = { doneAt: at('2026-06-03'), meters: meters(), zone }
    expect(limitAfter(battery(1.1), done, false)).toMatchObject({
      used: 0,
      due: reads(1),
      lastDoneAt: at('2026-06-03'),
    })
    expect(overdueMessage('ELT battery', battery(1.1), zone)).toBe('ELT battery is due at 1.00 hours of use')
  })
})

describe('an item with several limits', () => {
  /** Oil at tach 980.0 on 2026-02-10: 50 hours or four months, 120 days. */
  const oil = (() => {
    const done = { doneAt: at('2026-02-10'), meters: meters({ tach: reads(980) }), zone }
    return item(
      limitAfter(limit({ interval: reads(50) }), done, false),
      limitAfter(limit({ basis: 'calendar', intervalDays: 120 }), done, false),
    )
  })()

  test('is overdue by its date while hours are left: tach 1010.0 on 2026-06-11, due 2026-06-10', () => {
    const now = { now: at('2026-06-11'), meters: meters({ tach: reads(1010) }) }
    expect(maintenanceStatus(oil, now)).toBe('overdue')
    expect(localDate(firstDue(oil, now).dueAt!, zone)).toBe('2026-06-10')
    expect(oil.limits.map((one) => limitStatus(one, oil, now))).toEqual(['ok', 'overdue'])
  })

  test('is overdue by its hours while days are left', () => {
    const now = { now: at('2026-04-01'), meters: meters({ tach: reads(1030) }) }
    expect(maintenanceStatus(oil, now)).toBe('overdue')
    expect(firstDue(oil, now)).toMatchObject({ basis: 'tach', due: reads(1030) })
  })

  test('is due first by the limit with the least left, in times of its warning', () => {
    const early = { now: at('2026-02-11'), meters: meters({ tach: reads(981) }) }
    expect(firstDue(oil, early).basis).toBe('calendar')
    const flown = { now: at('2026-02-20'), meters: meters({ tach: reads(1019) }) }
    expect(firstDue(oil, flown).basis).toBe('tach')
  })

  test('is unknown only while nothing known of it is due', () => {
    const unread = item(limit({ interval: reads(50), due: reads(1000) }), annual)
    const status = (day: string) => maintenanceStatus(unread, { now: at(day), meters: meters() })
    expect(['2026-06-01', '2026-11-20', '2026-12-02'].map(status)).toEqual(['unknown', 'due_soon', 'overdue'])
  })

  test('has the worst status of its limits, and the first due has it, whatever they are', () => {
    const left = fc.option(fc.integer({ min: -500, max: 5_000 }), { nil: null })
    const now = at('2026-06-01')
    fc.assert(
      fc.property(left, left, left, left, (days, tach, hobbs, landings) => {
        const due = (remaining: number | null) => (remaining === null ? null : hundredths(100_000 + remaining))
        const dueAt = days === null ? null : new Date(now.getTime() + days * 3_600_000)
        const all = item(
          limit({ basis: 'calendar', intervalMonths: 1, dueAt }),
          limit({ basis: 'tach', interval: reads(1), due: due(tach) }),
          limit({ basis: 'hobbs', interval: reads(1), due: due(hobbs) }),
          limit({ basis: 'landings', interval: reads(1), due: due(landings) }),
        )
        const read = hundredths(100_000)
        const present = { now, meters: { tach: read, hobbs: read, landings: read } }
        const byHand = [
          days === null ? null : days < 0,
          ...[tach, hobbs, landings].map((one) => one !== null && one <= 0),
        ]
        const soon = days !== null && days <= 30 * 24
        const near = [tach, hobbs, landings].some((one) => one !== null && one <= 1000)
        const unknown = [days, tach, hobbs, landings].includes(null)
        const expected = byHand.includes(true) ? 'overdue' : soon || near ? 'due_soon' : unknown ? 'unknown' : 'ok'
        expect(maintenanceStatus(all, present)).toBe(expected)
        expect(limitStatus(firstDue(all, present), all, present)).toBe(expected)
      }),
    )
  })
})

describe('an item that a flight passes', () => {
  const tach = (reading: number) => meters({ tach: reads(reading) })
  const now = new Date(0)

  test('is passed only by the reading that reaches it', () => {
    const passed = (before: number, after: number) => passedLimit(item(hundredHour), now, tach(before), tach(after))
    expect(passed(1090, 1099.99)).toBeNull()
    expect(passed(1090, 1100)).toBe(hundredHour)
    expect(passed(1100, 1110)).toBeNull()
    expect(passed(1100, 1090)).toBeNull()
  })

  test('is not passed when its date made it overdue before', () => {
    const late = new Date('2027-01-01T00:00:00Z')
    expect(passedLimit(item(annual, hundredHour), late, tach(1090), tach(1100))).toBeNull()
    expect(passedLimit(item(annual), late, tach(0), tach(9_999))).toBeNull()
  })
})

test('the message of a hold on an aircraft names the local day or the meter', () => {
  expect(overdueMessage('Annual', annual, zone)).toBe('Annual was due on 2026-11-30')
  expect(overdueMessage('100-hour', hundredHour, zone)).toBe('100-hour is due at tach 1100.00')
  const gear = limit({ basis: 'landings', due: reads(1500) })
  expect(overdueMessage('Gear', gear, zone)).toBe('Gear is due at 1500 landings')
})
