import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import type { RecoveryStatus, RecoveryToPlan } from './recovery.types.ts'

/** A recovery, locked for a change. */
export interface LockedRecovery extends RecoveryToPlan {
  status: RecoveryStatus
  plannedAt: Date | null
}

/** Returns a recovery by its operation, locked until the commit; undefined when there is none. */
export async function lockRecovery(
  tx: Tx,
  organizationId: number,
  operationId: number,
): Promise<LockedRecovery | undefined> {
  const { rows } = await sql<LockedRecovery>`
    select operation_id as "operationId", organization_id as "organizationId", cause, reach, starts_at as start,
      ends_at as "end", status, planned_at as "plannedAt"
    from recovery where organization_id = ${organizationId} and operation_id = ${operationId} for update`.execute(tx.db)
  return rows[0]
}

interface RecoveryChange {
  status: RecoveryStatus
  basis?: 'exact' | 'search'
  gap_tenths?: number
  asserted?: boolean
  planned_at?: Date
}

/** Changes a locked recovery. */
export async function setRecovery(
  tx: Tx,
  { organizationId, operationId }: Pick<LockedRecovery, 'organizationId' | 'operationId'>,
  change: RecoveryChange,
): Promise<void> {
  await tx.db
    .updateTable('recovery')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .execute()
}
