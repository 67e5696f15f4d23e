import type { FlightCharge } from '../../billing/flight-bill/charge-facts.ts'
import type { OrganizationSettings } from '../../platform/authz/organization-settings.ts'
import type { LifecycleFacts } from './lifecycle.states.ts'
import type { ReservationRow } from './reservation.queries.ts'
import { typeRules } from '../../fleet/resources/reservation-types.rules.ts'

/** Where a loaded booking stands, as the lifecycle table asks for it. */
export function lifecycleOf(row: ReservationRow): LifecycleFacts {
  return {
    cancelledAt: row.cancelled_at,
    rampedOutAt: row.ramped_out_at,
    rampedInAt: row.ramped_in_at,
    briefed: row.ramped_out_at === null && row.briefing_tenths !== null,
    signedOffAt: row.signed_off_at,
    billed: row.invoices.some((invoice) => invoice.status !== 'void' && invoice.status !== 'failed'),
  }
}

/** Whether a loaded booking has figures that a bill can be made of. */
export function isFlown(row: ReservationRow): boolean {
  return row.ramped_in_at !== null || row.briefing_tenths !== null
}

/** What the charge of a loaded booking depends on. */
export function flightChargeOf(row: ReservationRow, settings: OrganizationSettings): FlightCharge {
  const instructor = row.seats.find((seat) => seat.side === 'instructors')
  const pays = typeRules[row.type].pays
  return {
    type: row.type,
    booked: { start: row.starts_at, end: row.ends_at },
    resource: row.resource,
    readings: { hobbsOut: row.hobbs_out, hobbsIn: row.hobbs_in, tachOut: row.tach_out, tachIn: row.tach_in },
    briefing: row.briefing_tenths,
    instructor: instructor?.rates ? { name: instructor.name, rates: instructor.rates } : null,
    payers: row.seats
      .filter((seat) => seat.side === pays)
      .map(({ orgUserId, guestId, name }) => ({ orgUserId, guestId, name })),
    stakes: row.stakes.map((stake) => {
      const { orgUserId, guestId } = stake
      if (stake.kind === 'waived') return { orgUserId, guestId, kind: stake.kind }
      if (stake.kind === 'percentage') {
        return { orgUserId, guestId, kind: stake.kind, percentageBps: stake.percentageBps ?? 0 }
      }
      const { hobbsOut, hobbsIn, tachOut, tachIn } = stake
      return { orgUserId, guestId, kind: stake.kind, hobbsOut, hobbsIn, tachOut, tachIn }
    }),
    settings,
  }
}
