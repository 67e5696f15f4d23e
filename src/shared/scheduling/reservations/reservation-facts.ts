import type { LifecycleFacts } from './lifecycle.states.ts'
import type { ReservationRow } from './reservation.queries.ts'

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
