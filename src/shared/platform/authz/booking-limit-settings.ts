import { z } from 'zod'
import type { Role } from './roles.ts'

const limitedRoles = ['student', 'renter', 'instructor', 'technician'] as const satisfies Role[]
type LimitedRole = (typeof limitedRoles)[number]

const limit = z.int().min(0).max(1_000_000).nullish()

/** The limits of a role. A limit that is absent or null does not apply. */
const bookingLimits = z
  .object({
    maxDaysAhead: limit.describe('How many local days ahead a booking can start'),
    maxMinutes: limit.describe('The longest booking, in minutes'),
    maxOpenBookings: limit.describe('How many open bookings a member can have'),
    maxHoursPerWeek: limit.describe('The most booked hours in one week, Monday to Sunday'),
    minNoticeMinutes: limit.describe('How many minutes before its start a booking must be made'),
  })
  .meta({ id: 'BookingLimits' })
  .nullable()
  .default(null)

/** The organization's limits on bookings that members make for themselves, per role. */
export const bookingLimitSettings = {
  bookingLimits: z
    .object(
      Object.fromEntries(limitedRoles.map((role) => [role, bookingLimits])) as Record<
        LimitedRole,
        typeof bookingLimits
      >,
    )
    .prefault({})
    .describe(
      'For each role, the limits of bookings that its members make for themselves. Desk staff have no limits. null ' +
        'removes a limit',
    ),
}
