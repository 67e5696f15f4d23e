import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { findMemberships } from './membership.queries.ts'
import type { SignedIn } from './sign-in.ts'

/** Records a sign-in with the organization that it opened, and with no other: sessions belong to the account. */
export async function recordSignIn(tx: Tx, { organizationId, membershipId }: SignedIn): Promise<void> {
  if (organizationId === null || membershipId === null) return
  const by = { organizationId, orgUserId: membershipId }
  emit(tx, by, { kind: 'session.started', subject: { kind: 'member', id: membershipId } })
}

/**
 * Records a refused sign-in with the organizations of which the address is a member; nowhere when it is nobody's. The
 * commit does not wait for the disk, whose delay would tell whether the address is known; a crash may lose the row.
 */
export async function recordRefusedSignIn(tx: Tx, email: string): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx.db)
  for (const { organizationId, orgUserId: id } of await findMemberships(tx.db, { email })) {
    const by = { organizationId, orgUserId: null }
    emit(tx, by, { kind: 'session.refused', subject: { kind: 'member', id } })
  }
}
