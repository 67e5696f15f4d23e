import { randomUUID } from 'node:crypto'
import type { Job, JobPayload } from '../jobs/define-job.ts'
import type { Clock } from '../kernel/clock.ts'
import { isRetryableConflict, redactValues, toDomainError } from './constraints.ts'
import type { Database, Db, EntityManager } from './database.ts'

/** A job that a transaction enqueued, published to the queue after the commit. */
export interface OutboxEntry {
  id: string
  job: string
  payload: unknown
  availableAt: Date
}

/** The transaction of a use case. `endpoint.ts` and `run-job.ts` start and commit it. */
export interface Tx {
  em: EntityManager
  /** Kysely in the same transaction. It sees what the entity manager has flushed. */
  db: Db
  /** The instant of the request or job. */
  now: Date
  /** Writes a job to the outbox; it is published after the commit. Returns the job's id. */
  enqueue<J extends Job>(job: J, payload: JobPayload<J>, options?: { availableAt?: Date }): string
}

/** The result of a committed transaction, and the jobs that it enqueued. */
export interface Committed<T> {
  result: T
  enqueued: OutboxEntry[]
}

/**
 * Runs the work in one transaction: flushes entities, writes outbox rows and commits, or rolls all back. When another
 * transaction was faster, the work runs once more and sees its rows; so the work must only write to the database. A
 * constraint that is still violated becomes its domain error.
 */
export async function inTransaction<T>(
  database: Database,
  clock: Clock,
  work: (tx: Tx) => Promise<T>,
): Promise<Committed<T>> {
  try {
    return await once(database, clock, work).catch((error: unknown) => {
      if (!isRetryableConflict(error)) throw error
      return once(database, clock, work)
    })
  } catch (error) {
    throw redactValues(toDomainError(error))
  }
}

async function once<T>(database: Database, clock: Clock, work: (tx: Tx) => Promise<T>): Promise<Committed<T>> {
  const enqueued: OutboxEntry[] = []
  const result = await database.orm.em.fork().transactional(async (em) => {
    const db = em.getKysely() as unknown as Db
    const now = clock()
    const tx: Tx = {
      em,
      db,
      now,
      enqueue(job, payload, options) {
        const id = randomUUID()
        enqueued.push({
          id,
          job: job.name,
          payload: job.payload.parse(payload),
          availableAt: options?.availableAt ?? now,
        })
        return id
      },
    }
    const outcome = await work(tx)
    await em.flush()
    if (enqueued.length > 0) await writeOutbox(db, enqueued)
    return outcome
  })
  return { result, enqueued }
}

async function writeOutbox(db: Db, enqueued: OutboxEntry[]): Promise<void> {
  await db
    .insertInto('outbox')
    .values(
      enqueued.map((row) => ({
        id: row.id,
        job: row.job,
        organization_id: (row.payload as { organizationId?: number }).organizationId ?? null,
        payload: JSON.stringify(row.payload),
        available_at: row.availableAt,
      })),
    )
    .execute()
}
