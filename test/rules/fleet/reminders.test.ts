import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isPassed,
  nextDue,
  overdueMessage,
  type ReminderDue,
  reminderStatus,
} from '../../../src/shared/fleet/maintenance/reminder.rules.ts'
import { hundredths } from '../../../src/shared/platform/kernel/units.ts'

const zone = 'America/New_York'
const calendar: ReminderDue = {
  basis: 'calendar',
  dueAt: new Date('2026-12-01T04:59:59.999Z'),
  dueHundredths: null,
  warnDays: 30,
  warnHundredths: hundredths(1000),
}
const hundredHour: ReminderDue = { ...calendar, basis: 'tach', dueAt: null, dueHundredths: hundredths(110_000) }

describe('a maintenance reminder by the calendar', () => {
  test.each([
    ['2026-10-01T00:00:00Z', 'ok'],
    ['2026-11-01T04:59:59.998Z', 'ok'],
    ['2026-11-01T04:59:59.999Z', 'due_soon'],
    ['2026-12-01T04:59:59.999Z', 'due_soon'],
    ['2026-12-01T05:00:00.000Z', 'overdue'],
  ])('is, at %s, %s', (now, expected) => {
    const at = { now: new Date(now), meters: { hobbs: null, tach: null } }
    expect(reminderStatus(calendar, at)).toBe(expected)
  })

  test('runs to the end of the last day of its month in the zone of the aircraft', () => {
    const done = { doneAt: new Date('2026-11-30T23:30:00-05:00'), reading: null, zone }
    const annual = { basis: 'calendar', intervalMonths: 12, intervalHundredths: null } as const
    expect(nextDue(annual, done)).toEqual({ dueAt: new Date('2027-12-01T04:59:59.999Z'), dueHundredths: null })
  })

  test('does not come due again when it has no interval', () => {
    const once = { basis: 'calendar', intervalMonths: null, intervalHundredths: null } as const
    const done = { doneAt: new Date('2026-11-01T00:00:00Z'), reading: null, zone }
    expect(nextDue(once, done)).toEqual({ dueAt: null, dueHundredths: null })
  })
})

describe('a maintenance reminder by a meter', () => {
  test.each([
    [null, 'ok'],
    [108_999, 'ok'],
    [109_000, 'due_soon'],
    [109_999, 'due_soon'],
    [110_000, 'overdue'],
    [111_000, 'overdue'],
  ])('is, with the tach at %s, %s', (tach, expected) => {
    expect(
      reminderStatus(hundredHour, {
        now: new Date(0),
        meters: { hobbs: hundredths(999_999), tach: tach === null ? null : hundredths(tach) },
      }),
    ).toBe(expected)
  })

  test('counts its interval from the reading at which the work was done', () => {
    const interval = { basis: 'tach', intervalMonths: null, intervalHundredths: hundredths(10_000) } as const
    const done = { doneAt: new Date(0), reading: hundredths(100_250), zone }
    expect(nextDue(interval, done)).toEqual({ dueAt: null, dueHundredths: 110_250 })
    expect(nextDue(interval, { ...done, reading: null })).toEqual({ dueAt: null, dueHundredths: null })
  })

  test('is passed only by the reading that reaches it', () => {
    const meters = (tach: number) => ({ hobbs: null, tach: hundredths(tach) })
    const now = new Date(0)
    expect(isPassed(hundredHour, now, meters(109_000), meters(109_999))).toBe(false)
    expect(isPassed(hundredHour, now, meters(109_000), meters(110_000))).toBe(true)
    expect(isPassed(hundredHour, now, meters(110_000), meters(111_000))).toBe(false)
    expect(isPassed(hundredHour, now, meters(110_000), meters(109_000))).toBe(false)
    expect(isPassed(calendar, new Date('2027-01-01T00:00:00Z'), meters(0), meters(999_999))).toBe(false)
  })

  test('never moves back to a better status while the meter runs', () => {
    const order = { ok: 0, due_soon: 1, overdue: 2 }
    const at = (tach: number) =>
      order[reminderStatus(hundredHour, { now: new Date(0), meters: { hobbs: null, tach: hundredths(tach) } })]
    fc.assert(fc.property(fc.nat(200_000), fc.nat(1_000), (tach, more) => at(tach) <= at(tach + more)))
  })
})

test('the message of a hold on an aircraft names the local day or the meter', () => {
  expect(overdueMessage({ ...calendar, name: 'Annual' }, zone)).toBe('Annual was due on 2026-11-30')
  expect(overdueMessage({ ...hundredHour, name: '100-hour' }, zone)).toBe('100-hour is due at tach 1100.00')
})
