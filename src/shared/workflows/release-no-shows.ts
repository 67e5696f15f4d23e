import { proposeFees } from '../billing/fees/propose-fees.ts'
import { isKeptBack } from '../dispatch/no-show.queries.ts'
import { hadOutage, isNoShowNow, noShowAt } from '../dispatch/no-show.rules.ts'
import { findPayingSide, isBlockedOtherwise } from '../dispatch/own-blocks.queries.ts'
import { isOwnBlock } from '../dispatch/own-blocks.rules.ts'
import { readRelease } from '../dispatch/read-release.ts'
import { findOutages } from '../dispatch/uptime.access.ts'
import { findOwner } from '../platform/authz/actor.queries.ts'
import type { Tx } from '../platform/db/transaction.ts'
import type { ClaimedRow } from '../platform/jobs/claim-batch.ts'
import { lockReservation } from '../scheduling/reservations/reservation.access.ts'
import { markCancelled } from './mark-cancelled.ts'
import { workflowsErrors } from './workflows.errors.ts'

const HOUR_MS = 3_600_000

/**
 * Cancels a booking that nobody has ramped out in time as `no_show`, in the name of the service, which frees its place, and proposes its fee.
 * Does nothing while something keeps it from leaving that its payers have not brought about: its release blocks, its aircraft or instructor is out,
 * a rule blocks it, a ramp-out of it was refused, or the service was not ready at some time from 30 minutes before its start on. The desk was told
 * of it before. The booking is judged under its lock, so that a ramp-out that commits first wins.
 * Implements interface §Dispatch: no-shows.
 */
export async function releaseNoShow(tx: Tx, { organizationId, id }: ClaimedRow): Promise<void> {
  const owner = await findOwner(tx.db, organizationId)
  if (!owner) return
  const row = await lockReservation(tx, owner, id)
  const at = noShowAt(row, owner.organization.settings.noShowMinutes)
  if (at === null || !isNoShowNow(at, tx.now)) return
  const outages = await findOutages(tx.db, new Date(row.starts_at.getTime() - HOUR_MS), tx.now)
  if (hadOutage(row.starts_at, outages) || (await isKeptBack(tx.db, organizationId, id))) return
  const side = await findPayingSide(tx.db, organizationId, row)
  if (await isBlockedOtherwise(tx.db, organizationId, id, side)) return
  const { checks } = await readRelease(tx.db, owner, tx.now, id, { hobbs: null, tach: null })
  const blocking = checks.filter(({ status }) => status === 'block')
  if (blocking.some(({ rule, subject }) => !isOwnBlock({ rule, ...subject }, side))) return
  const cancellation = { category: 'no_show', reason: workflowsErrors.nobodyCame() }
  await markCancelled(tx, { organizationId, orgUserId: null }, [row.entity], cancellation)
  if (row.cancellation_terms === null) return
  await proposeFees(tx, owner, [row], { category: 'no_show', forPayer: false, noShow: true })
}
