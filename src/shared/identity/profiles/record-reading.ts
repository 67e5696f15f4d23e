import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { hasRead } from './profile.access.ts'

const DAY_MS = 86_400_000

/** What a member reads of others: the profile, the ledger or the packet for a test of the member with this id, all balances, the report for an insurer or on stalled students. */
export type Read =
  | { kind: 'profile.read' | 'ledger.read' | 'packet.read'; orgUserId: number }
  | { kind: 'balances.read' | 'insurance.read' | 'stalled.read' }

/**
 * Records in the audit log that a member read the profile, the ledger or the packet of another member, or a report about all, at
 * most once per 24 hours.
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
  if (!(await hasRead(tx, reader, { kind, subject, since }))) emit(tx, reader, { kind, subject })
}
