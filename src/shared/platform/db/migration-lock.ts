import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** The session-level advisory lock that one `migrate` holds at a time. */
const LOCK_KEY = 7_265_311
const LOOK_EVERY_MS = 250
/** The longest wait of a statement for a table lock. Other statements on the table wait behind it during this time. */
const TABLE_WAIT_MS = 1_000
const PAUSE_MS = 2_000
/** The number of attempts between two messages about a table in use. */
const PRINT_EVERY = 15

/** Reports, in one line, what a migration waits for. */
export type Print = (line: string) => void

/** Removes the time limits of the session, and limits the wait for a table lock. */
export async function withoutTimeLimits(client: pg.Client): Promise<void> {
  for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout']) {
    await client.query(`set ${limit} = 0`)
  }
  await client.query(`set lock_timeout = ${TABLE_WAIT_MS}`)
}

/**
 * Runs work without a limit on the wait for table locks. Only for statements whose locks do not block other statements.
 */
export async function waitingForTables<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('set lock_timeout = 0')
  const result = await work()
  await client.query(`set lock_timeout = ${TABLE_WAIT_MS}`)
  return result
}

/**
 * Waits without a limit until no other migration runs. It polls for the lock, because a statement that waits for the
 * lock would hold a snapshot, and a concurrent index build of the other migration would wait for that snapshot. The
 * lock ends with the session.
 */
export async function lockMigrations(client: pg.Client, print: Print): Promise<void> {
  for (let looked = 0; ; looked++) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK_KEY])
    if (rows[0]?.taken) return
    if (looked === 0) print('another migration is running: waiting for its end')
    await sleep(LOOK_EVERY_MS)
  }
}

/** SQLSTATEs of a lock time-out and of a deadlock. */
const busy = new Set(['55P03', '40P01'])

/**
 * Runs work, and repeats it every two seconds without a limit, until it gets its table locks. Work that fails must roll
 * back.
 */
export async function untilTablesAreFree<T>(what: string, print: Print, work: () => Promise<T>): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (!busy.has((error as { code?: string }).code ?? '')) throw error
      if (tried % PRINT_EVERY === 0) print(`${what}: a table is in use: trying again every few seconds`)
      await sleep(PAUSE_MS)
    }
  }
}
