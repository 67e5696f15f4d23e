import type { Tx } from '../../platform/db/transaction.ts'
import type { NotificationKind } from './kinds.ts'
import { fanOut } from './notifications.jobs.ts'

/** What happened, to what, and who caused it: they are never told of it themselves. */
export interface DomainEventInput {
  organizationId: number
  kind: NotificationKind
  /** The id of the record that it is about: a reservation, an invoice, an announcement. */
  subjectId: number
  /** The orgUserId of who caused it; null when nobody of the organization did. */
  causedBy: number | null
}

/** Owes a notification to everyone concerned: who that is, and how they are told, is worked out when it is sent. */
export function notify(tx: Tx, event: DomainEventInput): void {
  tx.enqueue(fanOut, { ...event, happenedAt: tx.now.toISOString() })
}
