import type { Tx } from '../../platform/db/transaction.ts'
import type { NotificationKind } from './kinds.ts'
import { notifyConcerned } from './notifications.jobs.ts'

/** What happened, to what, and who caused it: they are never told of it themselves. */
export interface Happening {
  organizationId: number
  kind: NotificationKind
  /** The id of the record that it is about: a reservation, an invoice, an announcement. */
  subjectId: number
  /** The orgUserId of who caused it; null when nobody of the organization did. */
  causedBy: number | null
}

/** Owes a notification to everyone concerned: who that is, and how they are told, is worked out when it is sent. */
export function notify(tx: Tx, happening: Happening): void {
  tx.enqueue(notifyConcerned, { ...happening, happenedAt: tx.now.toISOString() })
}
