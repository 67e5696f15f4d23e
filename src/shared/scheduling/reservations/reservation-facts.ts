import type { LifecycleFacts } from './lifecycle.states.ts'
import type { ReservationRow } from './reservation.queries.ts'

/** Returns the facts of a loaded booking that the lifecycle table needs. */
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

/** Decides whether a loaded booking has figures to bill. */
export function isFlown(row: ReservationRow): boolean {
  return row.ramped_in_at !== null || row.briefing_tenths !== null
}
