import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import type {
  PlanBasis,
  PlanOutcome,
  RecoveryCause,
  RecoveryDetail,
  RecoveryStatus,
  RecoveryToPlan,
} from './recovery.types.ts'

/** A recovery, locked for a change. */
export interface LockedRecovery extends RecoveryToPlan {
  status: RecoveryStatus
  plannedAt: Date | null
}

/** A row of a plan: a displaced booking, and what becomes of it. */
export interface PlannedRow {
  subjectId: number
  outcome: PlanOutcome
  detail: RecoveryDetail
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
  basis?: PlanBasis
  gap_tenths?: number
  asserted?: boolean
  planned_at?: Date
  cause?: RecoveryCause
}

/** Changes a locked recovery. */
export async function setRecovery(
  tx: Tx,
  { organizationId, operationId }: Pick<LockedRecovery, 'organizationId' | 'operationId'>,
  { cause, ...change }: RecoveryChange,
): Promise<void> {
  await tx.db
    .updateTable('recovery')
    .set({ ...change, ...(cause && { cause: sql`${JSON.stringify(cause)}::jsonb` as never }) })
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .execute()
}

/** Writes the rows of a plan, and that all of them are planned. */
export async function writePlan(
  tx: Tx,
  { organizationId, id }: { organizationId: number; id: number },
  rows: readonly PlannedRow[],
): Promise<void> {
  await sql`
    insert into operation_row (organization_id, operation_id, number, subject_id, outcome, detail)
    select ${organizationId}, ${id}, p.number, p."subjectId", p.outcome, p.detail
    from jsonb_to_recordset(${JSON.stringify(rows.map((row, at) => ({ ...row, number: at + 1 })))}::jsonb)
      as p (number int, "subjectId" int, outcome text, detail jsonb)`.execute(tx.db)
  await sql`
    update operation set total = ${rows.length}, done = ${rows.length}, succeeded = ${rows.length}
    where organization_id = ${organizationId} and id = ${id}`.execute(tx.db)
}
