import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Tenths } from '../../platform/kernel/units.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { assertAllowsChange, lockEnrollment } from '../enrollments/enrollment.access.ts'
import { assertHolds } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'
import { findEntry, selectUnreversed } from './record.queries.ts'

/**
 * Reverses an entry of the credit ledger with an entry of the negated amount, and returns the reversal's id.
 * Implements interface §Training record and ledger: POST credits/{id}/reverse.
 */
export async function reverseCredit(tx: Tx, actor: Actor, id: number, reason: string): Promise<{ id: number }> {
  await assertHolds(tx, actor, ['manageEnrollment'])
  const { organizationId } = actor
  const entry = await findEntry(tx.db, organizationId, id)
  const enrollment = await lockEnrollment(tx, actor, entry.enrollmentId)
  if (entry.reversesId != null) throw trainingErrors.isReversal()
  assertAllowsChange(tx, actor, enrollment, 'correct')
  const [reversal] = await reverseEntries(tx, actor, { id }, reason)
  if (reversal === undefined) throw platformErrors.entryReversed()
  return { id: reversal }
}

/** The columns that a reversal copies from the entry that it reverses. */
const copied = [
  'organization_id',
  'enrollment_id',
  'version_id',
  'requirement_id',
  'source',
  'clock',
  'device_kind',
  'record_id',
] as const

/**
 * Reverses the entry with this id, or all entries of a record. Skips reversals and entries that are already reversed.
 * Returns the ids of the new reversals.
 */
export async function reverseEntries(
  tx: Tx,
  { organizationId, orgUserId }: Actor,
  which: { id: number } | { recordId: number },
  reason: string,
): Promise<number[]> {
  const rows = await tx.db
    .insertInto('credit_entry')
    .columns([...copied, 'tenths', 'count', 'reverses_id', 'notes', 'occurred_at', 'created_by'])
    .expression(
      selectUnreversed(tx.db, organizationId, which)
        .select(copied.map((column) => `c.${column}` as const))
        .select([sql<Tenths>`-c.tenths`.as('tenths'), sql<number>`-c.count`.as('count'), 'c.id as reverses_id'])
        .select([
          sql<string>`${reason}`.as('notes'),
          sql<Date>`${tx.now}::timestamptz`.as('occurred_at'),
          sql<number>`${orgUserId}::int`.as('created_by'),
        ]),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
