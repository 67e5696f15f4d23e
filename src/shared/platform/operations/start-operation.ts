import { sql } from 'kysely'
import type { Actor } from '../authz/actor.ts'
import type { Tx } from '../db/transaction.ts'
import type { AppError } from '../kernel/errors.ts'
import { platformErrors } from '../platform.errors.ts'
import { countOpen, countOpenOfOwners, lockTurns } from './operation.access.ts'
import type { OperationKind } from './operation-kinds.rules.ts'
import { runOperation } from './operations.jobs.ts'

/** The most operations that have not ended: in one organization, and in all organizations of one owner. */
const MOST_OPEN = 50
/** The seconds after which the caller may try again. */
const RETRY_SECONDS = 60

/** An operation to start. */
export interface NewOperation {
  kind: OperationKind
  atomic: boolean
  input: Record<string, unknown>
  /** The ids of its records, in the order in which they are processed. */
  subjectIds: readonly number[]
  /**
   * The most operations of its kind that have not ended, and the error when there are more. When absent, only the limit
   * for all kinds holds.
   */
  mostOpen?: { count: number; refusal: () => AppError }
  /** Whether it waits for something. Its job is then enqueued later, and it does not run before. */
  waits?: boolean
}

/**
 * Writes an operation with its rows, and enqueues its job. The operations of one kind run one after another in an
 * organization. At most 50 of an organization, and of all organizations of one of its owners, are open; `mostOpen`
 * bounds those of the kind.
 * Implements interface §Operations.
 */
export async function startOperation(tx: Tx, actor: Actor, operation: NewOperation): Promise<{ id: number }> {
  const { organizationId, orgUserId } = actor
  const { kind, atomic, input, subjectIds, mostOpen, waits = false } = operation
  await lockTurns(tx, organizationId, kind)
  if ((await countOpenOfOwners(tx, organizationId)) >= MOST_OPEN) {
    throw platformErrors.tooManyOperations({ retryAfterSeconds: RETRY_SECONDS, limit: MOST_OPEN })
  }
  if (mostOpen && (await countOpen(tx, organizationId, kind)) >= mostOpen.count) throw mostOpen.refusal()
  const { id } = await tx.db
    .insertInto('operation')
    .values({
      organization_id: organizationId,
      kind,
      started_by: orgUserId,
      atomic,
      total: subjectIds.length,
      input: sql`${JSON.stringify(input)}::jsonb` as never,
      created_at: tx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into operation_row (organization_id, operation_id, number, subject_id)
    select ${organizationId}, ${id}, s.number, s.subject_id
    from unnest(${subjectIds}::int[]) with ordinality as s (subject_id, number)`.execute(tx.db)
  if (!waits) tx.enqueue(runOperation, { organizationId, operationId: id })
  return { id }
}
