import type { Db } from '../platform/db/database.ts'
import { findOver } from '../scheduling/recoveries/displaced.queries.ts'
import type { RecoveryRecord, RecoveryRowRecord } from '../scheduling/recoveries/recovery.queries.ts'
import { type RecoveryRequest, recoveryRequest } from '../scheduling/recoveries/recovery-request.rules.ts'

/**
 * Returns the request that plans what the applications of a plan left: bookings without a place, or whose offer was not accepted, and those that the
 * rules refused; null for none.
 */
export async function findNextRecovery(
  { db, now }: { db: Db; now: Date },
  organizationId: number,
  recovery: Pick<RecoveryRecord, 'start' | 'end' | 'reach'>,
  rows: readonly RecoveryRowRecord[],
): Promise<RecoveryRequest | null> {
  const open = rows
    .filter(({ bulk, isLeft }) => bulk?.outcome === 'refused' || (bulk === null && isLeft))
    .map((row) => row.reservationId)
  const over = await findOver(db, organizationId, open, now)
  const reservationIds = open.filter((one) => !over.has(one))
  if (reservationIds.length === 0) return null
  const { start, end, reach } = recovery
  return recoveryRequest({ start, end, reach, cause: { reservationIds } })
}
