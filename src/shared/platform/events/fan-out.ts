import { sql } from 'kysely'
import type { Tx } from '../db/transaction.ts'
import type { StoredEvent } from './event.table.ts'
import type { EventKind } from './event-kinds.ts'
import { findPendingEvents, type PendingEvent } from './pending-events.queries.ts'
import { withPredecessors } from './predecessors.rules.ts'

/** The job of one transaction's events. */
export interface FanOut {
  id: string
  organizationId: number
}

/**
 * Calls the subscribers of a transaction's events. Earlier events of the same subjects that are not fanned out yet, because their
 * process ended or their job waits for a retry, come first, and their jobs are done with it. Deleting the outbox rows in the
 * transaction makes each event be told once. Returns how many events were told.
 */
export async function fanOut(tx: Tx, subscriptions: readonly Subscription[], job: FanOut): Promise<number> {
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

/** Returns the jobs of these events by their last one, each with its subjects. */
function jobsOf(events: readonly PendingEvent[]) {
  const subjects = new Map<string, string[]>()
  for (const { jobId, subjectKind, subjectId } of events) {
    const known = subjects.get(jobId) ?? []
    subjects.delete(jobId)
    subjects.set(jobId, [...known, `${subjectKind}:${subjectId}`])
  }
  return [...subjects].map(([id, about]) => ({ id, subjects: about }))
}

/** A subscriber of events. */
export interface Subscription {
  kinds: readonly EventKind[]
  /**
   * Reacts to events of these kinds, those of one subject in their order. It runs in the transaction that marks them as fanned
   * out: what it writes and enqueues exists once. It calls no other service; what leaves the service is a job of its own.
   */
  handle(tx: Tx, events: readonly StoredEvent[]): Promise<void>
}

/** Returns the kinds with a subscriber. */
export function subscribedKinds(subscriptions: readonly Subscription[]): ReadonlySet<EventKind> {
  return new Set(subscriptions.flatMap(({ kinds }) => kinds))
}
