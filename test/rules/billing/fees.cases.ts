import type { FeeRule } from '../../../src/shared/billing/fees/fee.rules.ts'
import type { ReservationType } from '../../../src/shared/fleet/resources/reservation-types.rules.ts'
import { cents } from '../../../src/shared/platform/kernel/units.ts'

/**
 * Late cancellations and what they cost, worked out by hand from the rule (§29.1): the first tier that fits by ascending hours, at most the
 * expected cost and the largest fee, nothing below 50 cents, nothing in the four free categories.
 */
export interface FeeCase {
  what: string
  fees: readonly FeeRule[]
  /** The expected cost of the booking, in cents; 30,000 when absent. */
  estimate?: number
  /** The largest fee, in cents; 30,000 when absent. */
  most?: number
  type?: ReservationType
  category?: string
  /** The hours from the cancellation to the start; negative after it. */
  notice: number
  /** What it costs, in cents. */
  cost: number
}

const flat = (underHours: number, amount: number, more: Partial<FeeRule> = {}): FeeRule =>
  ({ underHours, kind: 'flat', cents: cents(amount), ...more }) as FeeRule
const share = (underHours: number, bps: number, more: Partial<FeeRule> = {}): FeeRule =>
  ({ underHours, kind: 'share', bps, ...more }) as FeeRule

const day = [flat(24, 5_000)]
const half = [share(24, 5_000)]
/** Two hours before: everything; a day before: half; two days before: 25.00. */
const three = [flat(48, 2_500), share(24, 5_000), share(2, 10_000)]
const noShows = [flat(24, 4_000, { categories: ['student', 'other'] }), flat(2, 9_000, { categories: ['no_show'] })]

export const feeCases: readonly FeeCase[] = [
  { what: 'no fee is set', fees: [], notice: 1, cost: 0 },
  { what: 'a day and an hour before', fees: day, notice: 25, cost: 0 },
  { what: 'exactly a day before', fees: day, notice: 24, cost: 0 },
  { what: 'a second less than a day before', fees: day, notice: 24 - 1 / 3_600, cost: 5_000 },
  { what: 'an hour before', fees: day, notice: 1, cost: 5_000 },
  { what: 'at the start', fees: day, notice: 0, cost: 5_000 },
  { what: 'half an hour after the start', fees: day, notice: -0.5, cost: 5_000 },
  { what: 'for the weather', fees: day, category: 'weather', notice: 1, cost: 0 },
  { what: 'for maintenance', fees: day, category: 'maintenance', notice: 1, cost: 0 },
  { what: 'for the instructor', fees: day, category: 'instructor', notice: 1, cost: 0 },
  { what: 'for the school', fees: day, category: 'administrative', notice: 1, cost: 0 },
  { what: 'for an illness', fees: day, category: 'illness', notice: 1, cost: 5_000 },
  { what: 'in a category of the school', fees: day, category: 'exam_at_school', notice: 1, cost: 5_000 },
  { what: 'half of 300.00', fees: half, notice: 1, cost: 15_000 },
  { what: 'half of 133.33, rounded half up', fees: half, estimate: 13_333, notice: 1, cost: 6_667 },
  { what: 'a third of 100.00', fees: [share(24, 3_333)], estimate: 10_000, notice: 1, cost: 3_333 },
  { what: 'a hundredth of a percent of 300.00 is too little', fees: [share(24, 1)], notice: 1, cost: 0 },
  { what: 'half of 0.98 is 0.49, too little', fees: half, estimate: 98, notice: 1, cost: 0 },
  { what: 'half of 0.99 is 0.50', fees: half, estimate: 99, notice: 1, cost: 50 },
  { what: 'all of it', fees: [share(24, 10_000)], notice: 1, cost: 30_000 },
  { what: 'more than the booking costs', fees: day, estimate: 3_000, notice: 1, cost: 3_000 },
  { what: 'a booking of 0.49', fees: day, estimate: 49, notice: 1, cost: 0 },
  { what: 'a booking without rates', fees: day, estimate: 0, notice: 1, cost: 0 },
  { what: 'more than the largest fee', fees: [share(24, 10_000)], estimate: 90_000, notice: 1, cost: 30_000 },
  { what: 'above a largest fee of 20.00', fees: day, most: 2_000, notice: 1, cost: 2_000 },
  { what: 'three tiers: two days and an hour before', fees: three, notice: 49, cost: 0 },
  { what: 'three tiers: exactly two days before', fees: three, notice: 48, cost: 0 },
  { what: 'three tiers: 47 hours before', fees: three, notice: 47, cost: 2_500 },
  { what: 'three tiers: exactly a day before', fees: three, notice: 24, cost: 2_500 },
  { what: 'three tiers: 23 hours before', fees: three, notice: 23, cost: 15_000 },
  { what: 'three tiers: exactly two hours before', fees: three, notice: 2, cost: 15_000 },
  { what: 'three tiers: an hour before', fees: three, notice: 1, cost: 30_000 },
  {
    what: 'by category: a student an hour before, past the tier of no-shows',
    fees: noShows,
    category: 'student',
    notice: 1,
    cost: 4_000,
  },
  { what: 'by category: a no-show', fees: noShows, category: 'no_show', notice: -0.5, cost: 9_000 },
  { what: 'by category: a no-show entered a day before', fees: noShows, category: 'no_show', notice: 20, cost: 0 },
  { what: 'by category: an illness, which no tier names', fees: noShows, category: 'illness', notice: 1, cost: 0 },
  {
    what: 'by type: a rental of a tier for rentals',
    fees: [flat(24, 5_000, { types: ['rental'] })],
    type: 'rental',
    notice: 1,
    cost: 5_000,
  },
  {
    what: 'by type: a dual of a tier for rentals',
    fees: [flat(24, 5_000, { types: ['rental'] })],
    type: 'dual',
    notice: 1,
    cost: 0,
  },
  { what: 'maintenance, for which nobody pays', fees: day, type: 'maintenance', notice: 1, cost: 0 },
  {
    what: 'the smallest hours first, where a dearer tier stands behind',
    fees: [flat(24, 9_000), flat(12, 1_000)],
    notice: 1,
    cost: 1_000,
  },
]
