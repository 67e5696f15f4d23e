import type { Tx } from '../../platform/db/transaction.ts'
import type { ClaimedRow } from '../../platform/jobs/claim-batch.ts'
import type { NotificationKind } from './kinds.ts'
import { fanOut } from './notifications.jobs.ts'

/** A domain event and its cause. The member who caused it is not notified. */
export interface DomainEventInput {
  organizationId: number
  kind: NotificationKind
  /** The id of the subject: a booking, an invoice, an announcement. */
  subjectId: number
  /** The orgUserId of the member who caused it; null for anyone else. */
  causedBy: number | null
}

/** Enqueues the notification of a domain event. Its audience and channels are determined when the job runs. */
export function notify(tx: Tx, event: DomainEventInput): void {
  tx.enqueue(fanOut, { ...event, happenedAt: tx.now.toISOString() })
}

/** Returns what a claim of due records does with each: it enqueues the notification of the record, caused by nobody. */
export function notifyAbout(tx: Tx, kind: NotificationKind): (row: ClaimedRow) => void {
  return ({ id, organizationId }) => notify(tx, { organizationId, kind, subjectId: id, causedBy: null })
}
