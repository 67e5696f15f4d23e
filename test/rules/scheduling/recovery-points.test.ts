import { describe, expect, test } from 'vitest'
import { type Displaced, placesToTry } from '../../../src/shared/scheduling/recoveries/places-to-try.rules.ts'
import { costOf, worthOf } from '../../../src/shared/scheduling/recoveries/points.rules.ts'
import { at } from './booking-facts.ts'

const zone = 'America/New_York'

describe('what a place of a displaced booking is worth (§Recovery)', () => {
  test.each([
    { beforeTest: false, solo: false, longAgo: false, points: 100 },
    { beforeTest: false, solo: true, longAgo: false, points: 150 },
    { beforeTest: true, solo: true, longAgo: false, points: 300 },
    { beforeTest: false, solo: false, longAgo: true, points: 130 },
    { beforeTest: true, solo: false, longAgo: true, points: 330 },
  ])('$points points: before a test $beforeTest, solo $solo, long ago $longAgo', ({ points, ...worth }) => {
    expect(worthOf(worth)).toBe(points)
  })

  const from = '2026-06-01T10:00:00-04:00'
  test.each([
    { why: 'nothing for another aircraft of the model', to: from, cost: 0 },
    { why: 'another model', to: from, otherModel: true, cost: 5 },
    { why: 'another instructor', to: from, otherInstructor: true, cost: 20 },
    { why: 'another start, of which half an hour is a begun hour', to: '2026-06-01T10:30:00-04:00', cost: 11 },
    { why: 'three hours earlier', to: '2026-06-01T07:00:00-04:00', cost: 13 },
    { why: 'the next day at the same time', to: '2026-06-02T10:00:00-04:00', cost: 49 },
    { why: 'all of it', to: '2026-06-02T11:00:00-04:00', otherModel: true, otherInstructor: true, cost: 75 },
  ])('$cost points less: $why', ({ to, cost, otherModel = false, otherInstructor = false }) => {
    expect(costOf({ from: at(from), to: at(to), otherModel, otherInstructor }, zone)).toBe(cost)
  })
})

const lesson: Displaced = {
  id: 1,
  start: at('2026-06-01T10:15:00-04:00'),
  end: at('2026-06-01T12:15:00-04:00'),
  worth: 100,
  resources: [
    { id: 2, otherModel: false },
    { id: 3, otherModel: true },
  ],
  instructors: [
    { id: 7, isOwn: true },
    { id: 8, isOwn: false },
  ],
  fixed: false,
}
const around = { zone, days: 0, notBefore: at('2026-06-01T11:00:00-04:00') }
const told = (displaced: Displaced, options = around) =>
  [...placesToTry(displaced, options)].map(
    ({ start, resourceId, instructorId, points }) =>
      `${start.toLocaleTimeString('en-GB', { timeZone: zone }).slice(0, 5)} ${resourceId}/${instructorId} ${points}`,
  )

describe('the places that are tried (§Recovery)', () => {
  test('the same time comes first, then other half hours by their distance, then another instructor', () => {
    const places = told(lesson)
    expect(places.slice(0, 4)).toEqual(['10:15 2/7 100', '10:15 3/7 95', '11:00 2/7 89', '11:30 2/7 88'])
    expect(places.indexOf('10:15 2/8 80')).toBeGreaterThan(places.indexOf('14:00 2/7 86'))
  })

  test('another start is not before the earliest, and on the half hour', () => {
    const starts = new Set(told(lesson).map((place) => place.slice(0, 5)))
    expect(starts.has('10:30')).toBe(false)
    expect([...starts].filter((start) => !/:(00|30)$/.test(start))).toEqual(['10:15'])
  })

  test('a booking with fixed times has its own time alone', () => {
    expect(told({ ...lesson, fixed: true })).toEqual(['10:15 2/7 100', '10:15 3/7 95', '10:15 2/8 80', '10:15 3/8 75'])
  })

  test('a place below one point is none', () => {
    const points = [...placesToTry(lesson, { ...around, days: 14, notBefore: at('2026-05-01T00:00:00Z') })]
    expect(Math.min(...points.map((place) => place.points))).toBe(1)
  })

  test('a skipped hour has no start, and a doubled hour has one', () => {
    const day = (text: string) => ({ ...lesson, start: at(text), end: new Date(at(text).getTime() + 7_200_000) })
    const early = { ...around, notBefore: at('2026-01-01T00:00:00Z') }
    const starts = (displaced: Displaced) =>
      new Set([...placesToTry(displaced, early)].map(({ start }) => start.getTime()))
    const spring = starts(day('2026-03-08T12:00:00-04:00'))
    expect(spring.has(at('2026-03-08T06:30:00Z').getTime())).toBe(true)
    expect([...spring].every((start) => start % 1_800_000 === 0)).toBe(true)
    expect(starts(day('2026-11-01T12:00:00-05:00')).has(at('2026-11-01T05:30:00Z').getTime())).toBe(true)
  })
})
