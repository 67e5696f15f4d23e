import { z } from 'zod'

export const waitlistOrders = ['first_come', 'longest_since_flight'] as const
export type WaitlistOrder = (typeof waitlistOrders)[number]

const minuteOfDay = z.int().min(0).max(1439)
const DAY_MINUTES = 1_440
/** Somebody who waits is asked on ten hours of each day at least. */
const MOST_QUIET_MINUTES = 14 * 60

/** The organization's settings of the waiting list and its offers. */
export const offerSettings = {
  waitlistOrder: z
    .enum(waitlistOrders)
    .default('first_come')
    .describe(
      'Who is offered a free place first. `first_come`: whose entry has waited longest. `longest_since_flight`: who ' +
        'has not flown for the longest time',
    ),
  offerMinutes: z.int().min(10).max(240).default(60).describe('How many minutes an offer lasts at most'),
  quietHours: z
    .object({ startMinute: minuteOfDay, endMinute: minuteOfDay })
    .refine(
      ({ startMinute, endMinute }) => (endMinute - startMinute + DAY_MINUTES) % DAY_MINUTES <= MOST_QUIET_MINUTES,
      { path: ['endMinute'], message: 'is at most 14 hours after startMinute' },
    )
    .meta({ id: 'QuietHours' })
    .nullable()
    .default({ startMinute: 1260, endMinute: 420 })
    .describe(
      'The hours in which nobody is offered a place, in minutes after local midnight at the location of the aircraft. ' +
        'They may run past midnight, and are at most 14 hours. null: none',
    ),
  instructorsDecline: z.boolean().default(true).describe('Whether instructors may decline offers of lessons with them'),
}
