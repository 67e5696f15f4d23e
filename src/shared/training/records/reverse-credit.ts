import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Conflict } from '../../platform/kernel/errors.ts'
import { lockEnrollment, mustAllowChange } from '../enrollments/enrollment.access.ts'
import { mustHold } from '../grants/policy.ts'
import { findEntry } from './record.queries.ts'

/**
 * Reverses an entry of the credit ledger with an entry of the negated amount, and returns the reversal's id.
 * Implements interface §Training record and ledger: POST credits/{id}/reverse.
 * @throws Forbidden when the actor does not hold `manageEnrollment`
 * @throws NotFound when there is no such entry
 * @throws Conflict IS_REVERSAL when the entry is itself a reversal
 * @throws Conflict ALREADY_REVERSED when it is reversed already
 * @throws Conflict ENROLLMENT_ENDED when the student graduated
 */
export async function reverseCredit(tx: Tx, actor: Actor, id: number, reason: string): Promise<{ id: number }> {
  await mustHold(tx, actor, ['manageEnrollment'])
  const { organizationId } = actor
  const entry = await findEntry(tx.db, organizationId, id)
  const enrollment = await lockEnrollment(tx, actor, entry.enrollmentId)
  if (entry.reversesId != null) throw new Conflict('This entry is itself a reversal.', 'IS_REVERSAL')
  mustAllowChange(enrollment, 'putRight')
  const [reversal] = await reverseEntries(tx, actor, { id }, reason)
  if (reversal === undefined) throw new Conflict('This entry is already reversed.', 'ALREADY_REVERSED')
  return { id: reversal }
}

/** Reverses one entry, or the entries that one record posted. Skips reversed ones, and returns the reversals' ids. */
export async function reverseEntries(
  tx: Tx,
  { organizationId, orgUserId }: Actor,
  which: { id: number } | { recordId: number },
  reason: string,
): Promise<number[]> {
  const wanted = 'id' in which ? sql`c.id = ${which.id}` : sql`c.record_id = ${which.recordId}`
  const { rows } = await sql<{ id: number }>`
    insert into credit_entry (organization_id, enrollment_id, version_id, requirement_id, tenths, count, source, clock,
      notes, occurred_at, record_id, reverses_id, created_by)
    select c.organization_id, c.enrollment_id, c.version_id, c.requirement_id, -c.tenths, -c.count, c.source, c.clock,
      ${reason}, ${tx.now}, c.record_id, c.id, ${orgUserId}
    from credit_entry c
    where c.organization_id = ${organizationId} and ${wanted} and c.reverses_id is null
      and not exists (select 1 from credit_entry r where r.organization_id = c.organization_id and r.reverses_id = c.id)
    order by c.id
    returning id`.execute(tx.db)
  return rows.map(({ id }) => id)
}
