import { expect } from 'vitest'
import { schoolTest } from '../../../support/fixtures.ts'
import { simulateOffers } from '../../../support/simulated-offers.ts'

const test = schoolTest()

/** The days that are played; the drill plays a thousand. */
const DAYS = Number(process.env.OFFER_DAYS ?? 3)

test(`over ${DAYS} days no offer overlaps another, is refused or made at night, and nine of ten places are filled that could be`, async ({
  api,
}) => {
  const found = await simulateOffers(api, { seed: 'spring', days: DAYS })
  const { offers, filled, possible, overlapping, refused, atNight } = found
  expect({ overlapping, refused, atNight }).toEqual({ overlapping: 0, refused: 0, atNight: 0 })
  expect(offers).toBeGreaterThan(DAYS * 4)
  expect(filled / possible, `${filled} of ${possible}, with ${offers} offers`).toBeGreaterThanOrEqual(0.9)
}, 1_800_000)
