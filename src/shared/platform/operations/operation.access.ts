import { sql } from 'kysely'
import type { Tx } from '../db/transaction.ts'
import type { OperationToRun, PendingRow, RowOutcome } from './operation.types.ts'
import type { OperationKind } from './operation-kinds.rules.ts'

/** The organization and the id of an operation. */
export interface OperationOf {
  organizationId: number
  operationId: number
}

/** Locks, until the commit, the start and end of the operations of one kind in an organization. */
export async function lockTurns(tx: Tx, organizationId: number, kind: OperationKind): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`operations ${organizationId} ${kind}`}, 0))`.execute(tx.db)
}

/** Returns an operation that has not ended, locked until the commit; undefined when it has ended or does not exist. */
export function lockOpenOperation(
  tx: Tx,
  { organizationId, operationId }: OperationOf,
): Promise<OperationToRun | undefined> {
  return selectOpen(tx, organizationId).where('id', '=', operationId).executeTakeFirst()
}

/** Returns the operations of a member that have not ended, locked until the commit. */
export function lockOpenOperationsOf(tx: Tx, organizationId: number, orgUserId: number): Promise<OperationToRun[]> {
  return selectOpen(tx, organizationId).where('started_by', '=', orgUserId).orderBy('id').execute()
}

function selectOpen(tx: Tx, organizationId: number) {
  return tx.db
    .selectFrom('operation')
    .select(['id', 'organization_id as organizationId', 'kind', 'status', 'started_by as startedBy', 'atomic', 'input'])
    .select(['total', 'succeeded', 'failed', 'open_runs as openRuns'])
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null)
    .forUpdate()
}

/**
 * Returns the operation of a kind that may run now: the one that has started and not ended, otherwise the oldest queued
 * one that waits for nothing; undefined when there is none.
 */
export function findTurn(tx: Tx, organizationId: number, kind: OperationKind): Promise<{ id: number } | undefined> {
  return tx.db
    .selectFrom('operation')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`not (status = 'queued' and input ? 'awaits')`)
    .orderBy(sql`status = 'queued'`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Returns how many operations of a kind run in all organizations. Holds a lock until the commit, so that two operations
 * that start are counted one after the other.
 */
export async function countRunning(tx: Tx, kind: OperationKind): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`running ${kind}`}, 0))`.execute(tx.db)
  const { running } = await tx.db
    .selectFrom('operation')
    .select((eb) => eb.fn.countAll<number>().as('running'))
    .where('kind', '=', kind)
    .where('status', '=', 'running')
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(running)
}

/** Returns how many operations of a kind have not ended in an organization. */
export async function countOpen(tx: Tx, organizationId: number, kind: OperationKind): Promise<number> {
  const { open } = await tx.db
    .selectFrom('operation')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(open)
}

/**
 * Returns how many operations, or those of one kind, have not ended in the organization; or, when that is more, in all
 * organizations of the one owner of this organization who has the most.
 */
export async function countOpenOfOwners(tx: Tx, organizationId: number, kind?: OperationKind): Promise<number> {
  const isCounted = kind === undefined ? sql`ended_at is null` : sql`ended_at is null and kind = ${kind}`
  const { rows } = await sql<{ most: number }>`
    select coalesce(max(open), 0)::int as most from (
      select count(*) as open from operation where organization_id = ${organizationId} and ${isCounted}
      union all
      select count(*)
        from membership mine
        join membership own on own.account_id = mine.account_id and own.owner and own.removed_at is null
        join (select organization_id from operation where ${isCounted}) o on o.organization_id = own.organization_id
       where mine.organization_id = ${organizationId} and mine.owner and mine.removed_at is null
       group by mine.account_id) as counted`.execute(tx.db)
  return rows[0]?.most ?? 0
}

/** Returns the pending rows in the order in which they are processed; with `among`, only rows that are in it. */
export async function findPending(
  db: Tx['db'],
  { organizationId, operationId }: OperationOf,
  among?: readonly PendingRow[],
): Promise<PendingRow[]> {
  const rows = db
    .selectFrom('operation_row')
    .select(['number', 'subject_id as subjectId'])
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .where('outcome', 'is', null)
    .orderBy('number')
  if (!among) return rows.execute()
  const numbers = among.map(({ number }) => number)
  return rows.where('number', '=', sql<number>`any(${numbers}::int[])`).execute()
}

/** Writes the outcomes of rows, and adds them to the operation's counts. Earlier runs no longer count as open. */
export async function writeOutcomes(tx: Tx, of: OperationOf, outcomes: readonly RowOutcome[]): Promise<void> {
  const rows = outcomes.map(({ detail = null, ...row }) => ({ ...row, detail }))
  await sql`
    update operation_row r
    set outcome = o.outcome, problems = o.problems, warnings = o.warnings, detail = o.detail,
      subject_id = coalesce(o."subjectId", r.subject_id)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as o (number int, outcome text, problems jsonb, warnings jsonb, detail jsonb, "subjectId" int)
    where r.organization_id = ${of.organizationId} and r.operation_id = ${of.operationId} and r.number = o.number`.execute(
    tx.db,
  )
  const failed = outcomes.filter(({ outcome }) => outcome === 'refused').length
  const warned = outcomes.filter(({ warnings }) => warnings.length > 0).length
  await sql`
    update operation
    set done = done + ${outcomes.length}, failed = failed + ${failed}, warnings = warnings + ${warned},
      succeeded = succeeded + ${outcomes.length - failed}, open_runs = least(open_runs, 1)
    where organization_id = ${of.organizationId} and id = ${of.operationId}`.execute(tx.db)
}

/** Marks the rows that were not started as skipped. */
export async function skipPending(tx: Tx, { organizationId, operationId }: OperationOf): Promise<void> {
  await tx.db
    .updateTable('operation_row')
    .set({ outcome: 'skipped' })
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .where('outcome', 'is', null)
    .execute()
}

/** Removes a run that has ended, with or without an error, from the open runs of an operation. */
export async function closeRun(tx: Tx, { organizationId, operationId }: OperationOf): Promise<void> {
  await tx.db
    .updateTable('operation')
    .set({ open_runs: sql`greatest(open_runs - 1, 0)` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', operationId)
    .execute()
}

/** Writes the given columns of an operation. */
export async function setOperation(
  tx: Tx,
  { organizationId, operationId }: OperationOf,
  state: Partial<{
    status: OperationToRun['status']
    started_at: Date
    ended_at: Date
    result: Record<string, unknown>
    input: Record<string, unknown>
    total: number
    open_runs: number
  }>,
): Promise<void> {
  const { result, input, ...columns } = state
  await tx.db
    .updateTable('operation')
    .set({
      ...columns,
      ...(result && { result: sql`${JSON.stringify(result)}::jsonb` as never }),
      ...(input && { input: sql`${JSON.stringify(input)}::jsonb` as never }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', operationId)
    .execute()
}
