import { sql } from 'kysely'
import type { StoredEvent } from '../contracts/event.types.ts'
import type { EventKind } from '../contracts/event-kinds.ts'
import type { Tx } from '../db/transaction.ts'
import { findPendingEvents, type PendingEvent } from './pending-events.queries.ts'
import { withPredecessors } from './predecessors.rules.ts'

/** The job that fans out the events of one transaction. */
export interface FanOut {
  id: string
  organizationId: number
}

/**
 * Calls the subscriptions to the events of one transaction. Earlier events of the same subjects can still be pending,
 * because their process ended or their job waits for a retry. These are handled first, and their jobs end too. The
 * transaction deletes the outbox entries, so each event is fanned out once. Returns the number of events.
 * Implements docs/decisions/0022.
 */
export async function fanOutNotification(tx: Tx, subscriptions: readonly Subscription[], job: FanOut): Promise<number> {
  // One fan-out per organization runs at a time: two for the same subject would not see each other's rows.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`events ${job.organizationId}`}, 0))`.execute(tx.db)
  const pending = await findPendingEvents(tx.db, job.organizationId, job.id)
  const jobs = withPredecessors(jobsOf(pending), job.id)
  if (jobs.length === 0) return 0
  await tx.db.deleteFrom('outbox').where('id', 'in', jobs).execute()
  const events = pending.filter(({ jobId }) => jobs.includes(jobId)).map(({ jobId: _, ...event }) => event)
  for (const { kinds, handle } of subscriptions) {
    const theirs = events.filter(({ kind }) => kinds.includes(kind))
    if (theirs.length > 0) await handle(tx, theirs)
  }
  return events.length
}

/** Returns the jobs of these events with the subjects of their events, ordered by the last event of each job. */
function jobsOf(events: readonly PendingEvent[]) {
  const subjects = new Map<string, string[]>()
  for (const { jobId, subjectKind, subjectId } of events) {
    const known = subjects.get(jobId) ?? []
    subjects.delete(jobId)
    subjects.set(jobId, [...known, `${subjectKind}:${subjectId}`])
  }
  return [...subjects].map(([id, about]) => ({ id, subjects: about }))
}

/** A subscription to events. */
export interface Subscription {
  kinds: readonly EventKind[]
  /**
   * Handles events of these kinds; the events of one subject come in their order. Runs in the transaction that marks
   * the events as fanned out, so its writes and jobs are committed once. It must not call an external service; it
   * enqueues a job that does.
   */
  handle(tx: Tx, events: readonly StoredEvent[]): Promise<void>
}

/** Returns the kinds that have a subscription. */
export function subscribedKinds(subscriptions: readonly Subscription[]): ReadonlySet<EventKind> {
  return new Set(subscriptions.flatMap(({ kinds }) => kinds))
}
