import { randomUUID } from 'node:crypto'
import type { Job, JobPayload } from '../contracts/define-job.ts'
import type { NewEvent } from '../contracts/event.types.ts'
import { eventRows, type Origin } from '../contracts/event-rows.ts'
import { fanOutEvents } from '../contracts/events.jobs.ts'
import type { NewSeal } from '../contracts/seal-kinds.ts'
import type { Clock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import { activeTraceParent, inSpan } from '../tracing/tracing.ts'
import { isRetryableConflict, redactValues, toDomainError } from './constraints.ts'
import type { Database, Db, EntityManager } from './database.ts'
import type { Table } from './declare-table.ts'
import { writeSeals } from './write-seals.ts'

/** A job that a transaction enqueued. It is published to the queue after the commit. */
export interface OutboxEntry {
  id: string
  job: string
  payload: unknown
  availableAt: Date
  /** The trace that the job belongs to, as a `traceparent`; null when there is no trace. */
  traceParent: string | null
}

/** The transaction of a use case. `endpoint.ts` and `run-job.ts` start and commit it. */
export interface Tx {
  em: EntityManager
  /** Kysely in the same transaction. It sees what the entity manager has flushed. */
  db: Db
  /** The declared tables with their facts, for work on the rows of many tables. */
  tables: readonly Table[]
  /** The instant at which this transaction started. */
  now: Date
  /** The events of this transaction. `emit` adds to them, and they are written before the commit. */
  events: NewEvent[]
  /** What is signed in this transaction. `seal` adds to it, and the seals are written before the commit. */
  seals: NewSeal[]
  /** The jobs that the transaction has enqueued so far. `enqueue` adds to them. */
  jobs: OutboxEntry[]
  /** Writes a job to the outbox; it is published after the commit. Returns the job's id. */
  enqueue<J extends Job>(job: J, payload: JobPayload<J>, options?: { availableAt?: Date }): string
}

/** The result of a committed transaction, and the jobs that it enqueued. */
export interface Committed<T> {
  result: T
  enqueued: OutboxEntry[]
}

/**
 * Runs the work in one transaction: flushes entities, writes seals, events and outbox entries and commits, or rolls everything
 * back. When it conflicts with a transaction that committed first, the work runs once more and reads the rows of that
 * transaction; so the work must have no effects outside the database. A constraint that is violated again becomes its
 * domain error.
 * Implements docs/decisions/0003 and 0004.
 */
export async function inTransaction<T>(
  database: Database,
  clock: Clock,
  work: (tx: Tx) => Promise<T>,
  origin: Origin | null = null,
): Promise<Committed<T>> {
  const run = () => inSpan('transaction', { kind: 'internal' }, () => once(database, clock, work, origin))
  try {
    return await run().catch((error: unknown) => {
      if (!isRetryableConflict(error)) throw error
      return run()
    })
  } catch (error) {
    throw redactValues(toDomainError(await completed(error, database.db)))
  }
}

/** Reads or records what completes a refusal; throws the complete one when it differs. */
type Completion = (db: Db) => Promise<void>

const completions = new WeakMap<object, Completion>()

/**
 * Returns a refusal that `inTransaction` completes after the rollback, when the locks of the transaction are free. A
 * refusal that is caught before, as that of one row of an import, stays as it is.
 */
export function completedAfterRollback<E extends Error>(refusal: E, complete: Completion): E {
  completions.set(refusal, complete)
  return refusal
}

/** Returns the error of a transaction that was rolled back: the complete one, or as it is when completing fails. */
async function completed(error: unknown, db: Db): Promise<unknown> {
  const complete = error instanceof Error && completions.get(error)
  if (!complete) return error
  return complete(db).then(
    () => error,
    (whole: unknown) => (whole instanceof AppError ? whole : error),
  )
}

async function once<T>(
  database: Database,
  clock: Clock,
  work: (tx: Tx) => Promise<T>,
  origin: Origin | null,
): Promise<Committed<T>> {
  const enqueued: OutboxEntry[] = []
  const result = await database.orm.em.fork().transactional(async (em) => {
    const db = em.getKysely() as unknown as Db
    const now = clock()
    const tx: Tx = {
      em,
      db,
      tables: database.tables,
      now,
      events: [],
      seals: [],
      jobs: enqueued,
      enqueue(job, payload, options) {
        const id = randomUUID()
        enqueued.push({
          id,
          job: job.name,
          payload: job.payload.parse(payload),
          availableAt: options?.availableAt ?? now,
          traceParent: activeTraceParent(),
        })
        return id
      },
    }
    const outcome = await work(tx)
    await em.flush()
    await writeSeals(db, database.recordKeys, tx.seals)
    for (const told of toFanOut(tx.events, database.subscribed)) tx.enqueue(fanOutEvents, told)
    await writeLogs(db, eventRows(tx.events, origin), outboxRows(enqueued))
    return outcome
  })
  return { result, enqueued }
}

/**
 * Returns the ids of the subscribed events by organization. One job per organization fans out the events of a
 * transaction.
 */
function toFanOut(events: readonly NewEvent[], subscribed: Database['subscribed']) {
  const told = Map.groupBy(
    events.filter(({ kind }) => subscribed.has(kind)),
    ({ organizationId }) => organizationId,
  )
  return [...told].map(([organizationId, theirs]) => ({ organizationId, events: theirs.map(({ id }) => id) }))
}

/** Writes events and outbox entries in one statement. */
async function writeLogs(
  db: Db,
  events: ReturnType<typeof eventRows>,
  enqueued: ReturnType<typeof outboxRows>,
): Promise<void> {
  if (enqueued.length === 0) {
    if (events.length > 0) await db.insertInto('event').values(events).execute()
  } else if (events.length === 0) await db.insertInto('outbox').values(enqueued).execute()
  else {
    await db
      .with('happened', (and) => and.insertInto('event').values(events))
      .insertInto('outbox')
      .values(enqueued)
      .execute()
  }
}

function outboxRows(enqueued: readonly OutboxEntry[]) {
  return enqueued.map((row) => ({
    id: row.id,
    job: row.job,
    organization_id: (row.payload as { organizationId?: number }).organizationId ?? null,
    payload: JSON.stringify(row.payload),
    available_at: row.availableAt,
    trace_parent: row.traceParent,
  }))
}
