import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { identityErrors } from '../identity.errors.ts'
import { actsAsRegistrar } from '../members/registrar.access.ts'
import { countProfilesRead, hasRead } from './profile.access.ts'

const DAY_MS = 86_400_000

/** What a member reads of others: the profile, the ledger or the packet for a test of the member with this id, all balances, the report for an insurer or on stalled students. */
export type Read =
  | { kind: 'profile.read'; orgUserId: number; most: number }
  | { kind: 'ledger.read' | 'packet.read'; orgUserId: number }
  | { kind: 'balances.read' | 'insurance.read' | 'stalled.read' }

/**
 * Records in the audit log that a member read the profile, the ledger or the packet of another member, or a report about all, at
 * most once per 24 hours. A registrar reads at most `most` different profiles in that time, also with many requests at once.
 * Implements interface §Members, GET /orgUsers/{id}/profile, and the desk grants of the interface.
 */
export async function recordReading(tx: Tx, reader: Actor, read: Read): Promise<void> {
  const since = new Date(tx.now.getTime() - DAY_MS)
  if (!('orgUserId' in read)) {
    const subject = { kind: 'organization', id: reader.organizationId } as const
    if (!(await hasRead(tx, reader, { kind: read.kind, subject, since })))
      emit(tx, reader, { kind: read.kind, subject })
    return
  }
  const { kind, orgUserId } = read
  const subject = { kind: 'member', id: orgUserId } as const
  if (read.kind === 'profile.read' && actsAsRegistrar(reader)) await assertReadsFew(tx, reader, read, since)
  if (!(await hasRead(tx, reader, { kind, subject, since }))) emit(tx, reader, { kind, subject })
}

/** Checks the limit of a registrar, whose readings of profiles are recorded one after the other until the commit. */
async function assertReadsFew(
  tx: Tx,
  reader: Actor,
  { orgUserId, most }: { orgUserId: number; most: number },
  since: Date,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('profiles of a registrar'), ${reader.orgUserId})`.execute(tx.db)
  const { profiles, among } = await countProfilesRead(tx, reader, { orgUserId, since })
  if (!among && profiles >= most) throw identityErrors.profilesRead({ retryAfterSeconds: DAY_MS / 1_000, limit: most })
}
