import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { mailWideReading } from '../organizations/organizations.jobs.ts'
import { findOwners } from './owner.queries.ts'

/**
 * Records that a member who is not an admin has read very many members within an hour, and mails the owners, because
 * the member's token may have been stolen.
 * Implements interface §Members.
 */
export async function recordWideReading(tx: Tx, actor: Actor): Promise<void> {
  const { organizationId, orgUserId: by } = actor
  emit(tx, actor, { kind: 'member.read_widely', subject: { kind: 'member', id: by } })
  for (const { orgUserId } of await findOwners(tx.db, organizationId)) {
    tx.enqueue(mailWideReading, { organizationId, orgUserId, by })
  }
}
