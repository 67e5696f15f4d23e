import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents } from '../../../src/shared/platform/kernel/units.ts'
import {
  hoursProblem,
  isOffered,
  type OfferedHours,
  pricingProblem,
} from '../../../src/shared/scheduling/offerings/offering.rules.ts'

describe('the price of an offering (§Reservation)', () => {
  test.each([
    ['prepaid_fixed', null, false],
    ['prepaid_fixed', 0, false],
    ['prepaid_fixed', 49, false],
    ['prepaid_fixed', 50, true],
    ['close_out', null, true],
    ['close_out', 0, true],
    ['close_out', 49, true],
  ] as const)('fits an offering that is charged as %s when it is %s cents: %s', (collectionStyle, price, fits) => {
    const priceCents = price === null ? null : cents(price)
    expect(pricingProblem({ collectionStyle, priceCents }) === null).toBe(fits)
  })

  test('of a package is an amount that a card can be charged', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2_000_000_000 }).map(cents), (priceCents) => {
        const problem = pricingProblem({ collectionStyle: 'prepaid_fixed', priceCents })
        return (problem === null) === priceCents >= 50
      }),
    )
  })
})

describe('the hours of an offering', () => {
  const zone = 'America/Los_Angeles'
  const hayward = { zone, coordinates: { latitude: 37.659, longitude: -122.122 } }
  const tromso = { zone: 'Europe/Oslo', coordinates: { latitude: 69.65, longitude: 18.96 } }
  const unknown = { zone, coordinates: null }
  const always: OfferedHours = { earliestMinute: null, latestMinute: null, daylight: false }
  const hour = (start: string) => ({ start: new Date(start), end: new Date(Date.parse(start) + 3_600_000) })

  // In Hayward on 21 June 2026 the sun rises at 12:47 UTC, which is 05:47, and sets at 03:33 UTC, which is 20:33.
  test.each<[string, Partial<OfferedHours>, string, typeof hayward | typeof unknown, boolean]>([
    ['none: at any time', {}, '2026-06-21T03:00-07:00', unknown, true],
    ['from 09:00: a minute before', { earliestMinute: 540 }, '2026-06-21T08:59-07:00', unknown, false],
    ['from 09:00: at nine', { earliestMinute: 540 }, '2026-06-21T09:00-07:00', unknown, true],
    ['to 16:00: at four', { latestMinute: 960 }, '2026-06-21T16:00-07:00', unknown, true],
    ['to 16:00: a minute after', { latestMinute: 960 }, '2026-06-21T16:01-07:00', unknown, false],
    ['from 09:00: at nine in winter', { earliestMinute: 540 }, '2026-12-21T09:00-08:00', unknown, true],
    ['from 09:00: at eight in winter', { earliestMinute: 540 }, '2026-12-21T08:00-08:00', unknown, false],
    ['by daylight: from five minutes before sunrise', { daylight: true }, '2026-06-21T05:42-07:00', hayward, false],
    ['by daylight: from five minutes after sunrise', { daylight: true }, '2026-06-21T05:52-07:00', hayward, true],
    ['by daylight: to five minutes before sunset', { daylight: true }, '2026-06-21T19:28-07:00', hayward, true],
    ['by daylight: to five minutes after sunset', { daylight: true }, '2026-06-21T19:38-07:00', hayward, false],
    ['by daylight: at noon without coordinates', { daylight: true }, '2026-06-21T12:00-07:00', unknown, false],
    ['by daylight: at midnight under the midnight sun', { daylight: true }, '2026-06-21T00:00+02:00', tromso, true],
    ['by daylight: at noon in the polar night', { daylight: true }, '2026-12-21T12:00+01:00', tromso, false],
    ['both', { daylight: true, earliestMinute: 540 }, '2026-06-21T08:00-07:00', hayward, false],
  ])('%s', (_, hours, start, place, offered) => {
    expect(isOffered({ ...always, ...hours }, hour(start), place)).toBe(offered)
  })

  test('by daylight do not contain a whole night', () => {
    const day = { start: new Date('2026-06-21T19:00-07:00'), end: new Date('2026-06-22T08:00-07:00') }
    expect(isOffered({ ...always, daylight: true }, day, hayward)).toBe(false)
  })

  test.each([
    [null, null, null],
    [540, null, null],
    [null, 540, null],
    [540, 541, null],
    [540, 540, 'latestMinute: must be after earliestMinute'],
    [541, 540, 'latestMinute: must be after earliestMinute'],
  ])('from %s to %s: %s', (earliestMinute, latestMinute, problem) => {
    expect(hoursProblem({ earliestMinute, latestMinute })).toBe(problem)
  })
})
