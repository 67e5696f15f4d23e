import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { roles } from '../../../shared/platform/authz/roles.ts'
import type { ApprovalPolicy } from '../../../shared/scheduling/booking-requests/policy.rules.ts'

/** Whether a member can book directly or needs a booking request. */
export const BookingPolicy = z
  .object({
    approvalRequired: z.boolean(),
    roles: z.array(z.enum(roles)).describe('The caller’s roles whose bookings need approval'),
    types: z.array(z.enum(reservationTypes)).describe('The types of booking that the caller has to request'),
    reason: z.string().nullable(),
  })
  .meta({ id: 'BookingPolicy' })

/** Returns a booking policy as the response shows it. Implements interface §Booking requests (policy/me). */
export function policyView({ types, roles: asked }: ApprovalPolicy): z.input<typeof BookingPolicy> {
  const whose = new Intl.ListFormat('en').format(asked.map((role) => `${role}s`))
  const approvalRequired = types.length > 0
  return {
    approvalRequired,
    roles: asked,
    types,
    reason: approvalRequired ? `Bookings by ${whose} need approval here.` : null,
  }
}
