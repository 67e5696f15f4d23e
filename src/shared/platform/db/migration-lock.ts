import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** The session-level advisory lock that one `migrate` holds at a time. */
const LOCK_KEY = 7_265_311
const LOOK_EVERY_MS = 250
/** How long a statement may wait for a table: whoever comes after it waits as long. */
const TABLE_WAIT_MS = 1_000
const PAUSE_MS = 2_000
/** Between two lines that say that a table is still in use. */
const TELL_EVERY = 15

/** Says in one line what a migration waits for. */
export type Tell = (line: string) => void

/** Frees the session of every time limit, and lets no statement wait for a table longer than others can bear. */
export async function withoutTimeLimits(client: pg.Client): Promise<void> {
  for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout']) {
    await client.query(`set ${limit} = 0`)
  }
  await client.query(`set lock_timeout = ${TABLE_WAIT_MS}`)
}

/** Runs statements that take no lock which others wait for, and so may wait as long as they need. */
export async function waitingForTables<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('set lock_timeout = 0')
  const result = await work()
  await client.query(`set lock_timeout = ${TABLE_WAIT_MS}`)
  return result
}

/**
 * Waits until no other migration runs, as long as it takes. The lock is asked for again and again: a statement that
 * waited for it would hold a snapshot, and an index that the other builds concurrently would wait for that snapshot.
 * The lock ends with the session.
 */
export async function lockMigrations(client: pg.Client, tell: Tell): Promise<void> {
  for (let looked = 0; ; looked++) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK_KEY])
    if (rows[0]?.taken) return
    if (looked === 0) tell('another migration is running: waiting for its end')
    await sleep(LOOK_EVERY_MS)
  }
}

/** A table stayed in use for longer than others can bear to wait behind us, or two waited for each other. */
const busy = new Set(['55P03', '40P01'])

/** Repeats work that undoes itself when it fails until the tables that it locks are free, as long as it takes. */
export async function untilTablesAreFree<T>(what: string, tell: Tell, work: () => Promise<T>): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (!busy.has((error as { code?: string }).code ?? '')) throw error
      if (tried % TELL_EVERY === 0) tell(`${what}: a table is in use: trying again every few seconds`)
      await sleep(PAUSE_MS)
    }
  }
}
