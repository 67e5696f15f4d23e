import { sql } from 'kysely'
import type { StoredEvent } from '../contracts/event.types.ts'
import type { EventKind } from '../contracts/event-kinds.ts'
import type { Tx } from '../db/transaction.ts'
import { findPendingEvents, type PendingEvent } from './pending-events.queries.ts'
import { withPredecessors } from './predecessors.rules.ts'

/** The job of one transaction's events. */
export interface FanOut {
  id: string
  organizationId: number
}

/**
 * Calls the subscriptions to a transaction's events. Earlier events of the same subjects that are still pending,
 * because their process ended or their job waits for a retry, come first, and their jobs end too. The transaction
 * deletes the outbox entries, so each event is fanned out once. Returns the number of events.
 * Implements docs/decisions/0022.
 */
export async function fanOutNotification(tx: Tx, subscriptions: readonly Subscription[], job: FanOut): Promise<number> {
  // One fan-out of an organization at a time: two of one subject would not see each other's rows.
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

/** Returns the jobs of these events, ordered by their last event, each with its subjects. */
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
   * Handles events of these kinds, those of one subject in their order. It runs in the transaction that marks them as
   * fanned out, so what it writes and enqueues exists once. It calls no external service; a job of its own does.
   */
  handle(tx: Tx, events: readonly StoredEvent[]): Promise<void>
}

/** Returns the kinds that have a subscription. */
export function subscribedKinds(subscriptions: readonly Subscription[]): ReadonlySet<EventKind> {
  return new Set(subscriptions.flatMap(({ kinds }) => kinds))
}
