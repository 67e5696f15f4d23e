import type { Tx } from '../db/transaction.ts'
import type { RaisedKind } from './kinds.ts'
import { notifyConcerned } from './notifications.jobs.ts'

/** What happened, to what, and who caused it: they are never told of it themselves. */
export interface Happening {
  organizationId: number
  kind: RaisedKind
  /** The record that it is about: a reservation's, booking request's, invoice's, resource's or join request's id. */
  subjectId: number
  /** The orgUserId of who caused it; null when nobody of the organization did. */
  causedBy: number | null
}

/** Owes a notification to everyone concerned: who that is, and how they are told, is worked out when it is sent. */
export function notify(tx: Tx, happening: Happening): void {
  tx.enqueue(notifyConcerned, { ...happening, happenedAt: tx.now.toISOString() })
}
