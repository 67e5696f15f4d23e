import type { Tx } from '../platform/db/transaction.ts'
import { findOver } from '../scheduling/recoveries/displaced.queries.ts'
import { lockRecovery } from '../scheduling/recoveries/recovery.access.ts'
import { findRecoveryRows } from '../scheduling/recoveries/recovery.queries.ts'
import { recoveryRequest } from '../scheduling/recoveries/recovery-request.rules.ts'

/** Returns the request that plans what an application left: bookings without a place, and those that the rules refused; null for none. */
export async function findNextRecovery(tx: Tx, organizationId: number, id: number) {
  const recovery = await lockRecovery(tx, organizationId, id)
  if (!recovery) return null
  const rows = await findRecoveryRows(tx.db, organizationId, id)
  const open = rows
    .filter(({ bulk, isLeft }) => bulk?.outcome === 'refused' || (bulk === null && isLeft))
    .map((row) => row.reservationId)
  const over = await findOver(tx.db, organizationId, open, tx.now)
  const reservationIds = open.filter((one) => !over.has(one))
  return reservationIds.length === 0 ? null : recoveryRequest({ ...recovery, cause: { reservationIds } })
}
