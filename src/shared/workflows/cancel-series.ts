import { proposeFees } from '../billing/fees/propose-fees.ts'
import { type Actor, is } from '../platform/authz/actor.ts'
import { deskStaff } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { localDate } from '../platform/kernel/zones.ts'
import { findGivenAt } from '../scheduling/reservations/history.queries.ts'
import { refusalOf } from '../scheduling/reservations/lifecycle.states.ts'
import { assertBookingParty, lifecycleOf, lockSeries, refused } from '../scheduling/reservations/reservation.access.ts'
import { mayUndo, refuseCancellation } from '../scheduling/reservations/reservation.rules.ts'
import { assertMayCharge, type OwnCancellation } from './cancel-reservation.ts'
import { markCancelled } from './mark-cancelled.ts'
import { workflowsErrors } from './workflows.errors.ts'

/**
 * Cancels the bookings of a series from index `from` on (null: those that start after now), all or nothing. Bookings
 * that are cancelled or ramped out are left out.
 * Implements interface §Reservations, DELETE /reservations/series/{seriesId}.
 */
export async function cancelSeries(
  tx: Tx,
  actor: Actor,
  seriesId: number,
  { from, forPayer = false, ...cancellation }: OwnCancellation & { from: number | null },
): Promise<void> {
  assertMayCharge(actor, { forPayer, category: cancellation.category })
  const series = await lockSeries(tx, actor, seriesId)
  if (series.length === 0) throw workflowsErrors.noSuchSeries()
  const rest = series.filter((row) =>
    from === null ? row.starts_at > tx.now : row.series_index !== null && row.series_index >= from,
  )
  const open = rest.filter((row) => refusalOf('cancel', lifecycleOf(row)) === null)
  for (const row of open.length > 0 ? open : series) assertBookingParty(row, actor)
  if (open.length === 0) throw workflowsErrors.nothingLeftOfSeries()
  for (const row of open) {
    const facts = {
      now: tx.now,
      start: row.starts_at,
      category: cancellation.category,
      deskStaff: is(actor, deskStaff),
      date: localDate(row.starts_at, row.time_zone_name),
      settings: actor.organization.settings,
    }
    if (!refuseCancellation(facts)) continue
    const refusal = refuseCancellation({ ...facts, givenAt: await findGivenAt(tx.db, actor, row.id) })
    if (refusal) throw refused(refusal)
  }
  await markCancelled(
    tx,
    actor,
    open.map(({ entity }) => entity),
    cancellation,
  )
  for (const row of open.filter((one) => one.cancellation_terms !== null)) {
    const givenAt = await findGivenAt(tx.db, actor, row.id)
    const undoes = mayUndo({ now: tx.now, start: row.starts_at, givenAt })
    await proposeFees(tx, actor, [row], { category: cancellation.category, forPayer, undoes })
  }
}
