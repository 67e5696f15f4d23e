import { sql } from 'kysely'
import { toDomainError } from './constraints.ts'
import type { Tx } from './transaction.ts'

/**
 * Runs work at a savepoint of the transaction. When the work throws or returns `keep: false`, its writes, events, seals
 * and jobs are undone, and the transaction can go on. Entities that were loaded before are then detached and must be loaded
 * again.
 * @throws the error of the work, converted by `toDomainError`
 */
export async function inSavepoint<T>(tx: Tx, work: () => Promise<{ keep: boolean; result: T }>): Promise<T> {
  await tx.em.flush()
  const { events, seals, jobs } = { events: tx.events.length, seals: tx.seals.length, jobs: tx.jobs.length }
  const undo = async () => {
    await sql`rollback to savepoint part`.execute(tx.db)
    await sql`release savepoint part`.execute(tx.db)
    tx.em.clear()
    tx.events.length = events
    tx.seals.length = seals
    tx.jobs.length = jobs
  }
  await sql`savepoint part`.execute(tx.db)
  try {
    const { keep, result } = await work()
    if (keep) {
      await tx.em.flush()
      await sql`release savepoint part`.execute(tx.db)
    } else await undo()
    return result
  } catch (error) {
    await undo()
    throw toDomainError(error)
  }
}

/**
 * Runs work and undoes it: its writes, events, seals and jobs. Returns its result, which tells what the work would do.
 * @throws the error of the work, converted by `toDomainError`
 */
export function rehearse<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  return inSavepoint(tx, async () => ({ keep: false, result: await work() }))
}
