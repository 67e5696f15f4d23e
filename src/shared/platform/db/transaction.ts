import { randomUUID } from 'node:crypto'
import type { Job, JobPayload } from '../jobs/define-job.ts'
import type { Clock } from '../kernel/clock.ts'
import { isRetryableConflict, toDomainError } from './constraints.ts'
import type { Database, Db, EntityManager } from './database.ts'
import { redactValues } from './redact-values.ts'

/** A job that a transaction enqueued, as handed to the queue after the commit. */
export interface OutboxEntry {
  id: string
  job: string
  payload: unknown
  availableAt: Date
}

/** What a use case works with: one transaction, committed at the edge and nowhere else. */
export interface Tx {
  em: EntityManager
  /** Kysely inside the same transaction. It sees what the entity manager has flushed. */
  db: Db
  /** The instant of the request or job. */
  now: Date
  /** Owes a job from the moment of the commit. Returns the id that the queue will know it by. */
  enqueue<J extends Job>(job: J, payload: JobPayload<J>, options?: { availableAt?: Date }): string
}

/** A finished transaction: what the work returned, and the jobs that it owes. */
export interface Committed<T> {
  result: T
  enqueued: OutboxEntry[]
}

/**
 * Runs the work in one transaction: entities flushed, outbox rows written, then committed; or nothing at all.
 * When another transaction was faster, the work runs once more and meets what that one wrote; so work must do nothing
 * but write to the database. What the database still refuses is said in the words of the rule.
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
