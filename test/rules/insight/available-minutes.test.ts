import { describe, expect, test } from 'vitest'
import { availableMinutes } from '../../../src/shared/insight/reports/available-minutes.rules.ts'
import { daysAhead } from '../../../src/shared/insight/reports/progress-by-days.rules.ts'
import { daysBetween } from '../../../src/shared/platform/kernel/zones.ts'

const none = { flyingDayStartMinute: null, flyingDayEndMinute: null }
const day = { flyingDayStartMinute: 480, flyingDayEndMinute: 1200 }
const night = { flyingDayStartMinute: 1320, flyingDayEndMinute: 120 }
const zone = 'America/New_York'
const between = (start: string, end: string) => ({ start: new Date(start), end: new Date(end) })
/** Midnight to midnight in New York. */
const oneDay = between('2026-11-20T05:00:00Z', '2026-11-21T05:00:00Z')

describe('available minutes (§Resources)', () => {
  test.each([
    ['are all minutes without a flying day', oneDay, none, none, 1440],
    ['are those of the organization’s flying day', oneDay, none, day, 720],
    ['are those of the resource’s own flying day before the organization’s', oneDay, night, day, 240],
    [
      'have 25 hours when the clocks go back',
      between('2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'),
      none,
      none,
      1500,
    ],
    [
      'are not more when the clocks go back at night',
      between('2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'),
      none,
      day,
      720,
    ],
    ['are cut at the window', between('2026-11-20T14:00:00Z', '2026-11-20T16:30:00Z'), none, day, 150],
    ['are none at night', between('2026-11-20T05:00:00Z', '2026-11-20T13:00:00Z'), none, day, 0],
  ])('%s', (_name, window, resource, organization, minutes) => {
    expect(availableMinutes(window, resource, organization, zone)).toBe(minutes)
  })
})

describe('progress against the target (§Reports)', () => {
  test('counts local days', () => {
    expect(daysBetween(new Date('2026-11-20T23:00:00Z'), new Date('2026-11-21T04:00:00Z'), zone)).toBe(0)
    expect(daysBetween(new Date('2026-11-21T06:00:00Z'), new Date('2026-11-20T23:00:00Z'), zone)).toBe(-1)
  })

  test.each([
    ['a quarter of the lessons in a sixth of the time is ahead', 30, 180, 10, 40, 15],
    ['no lesson after 30 days is 30 days behind', 30, 180, 0, 40, -30],
    ['needs a target', 30, null, 10, 40, null],
    ['needs lessons', 30, 180, 0, 0, null],
  ])('%s', (_name, daysEnrolled, targetDays, lessonsCompleted, lessonsInCourse, ahead) => {
    expect(daysAhead({ daysEnrolled, targetDays, lessonsCompleted, lessonsInCourse })).toBe(ahead)
  })
})
