import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** What the comment on the outbox begins with while the workers are held. Only the owner of the tables can write it. */
const HELD = 'held: '
const LOOK_EVERY_MS = 1_000

/** Holds everything that leaves the service, until `release`: workers start no job. */
export async function hold(client: pg.ClientBase, why: string): Promise<void> {
  const text = `${HELD}${why.replaceAll("'", '')}`
  await client.query(`comment on table outbox is '${text}'`)
}

/** Ends the hold. Returns whether there was one. */
export async function release(client: pg.ClientBase): Promise<boolean> {
  const why = await whyHeld(client)
  await client.query('comment on table outbox is null')
  return why !== null
}

/** Returns why the workers are held, or null. */
export async function whyHeld(client: pg.ClientBase | pg.Pool): Promise<string | null> {
  const { rows } = await client.query<{ text: string | null }>(`select obj_description('outbox'::regclass) as text`)
  const { text = null } = rows[0] ?? {}
  return text?.startsWith(HELD) ? text.slice(HELD.length) : null
}

/** Waits while the workers are held, without a limit. When it has to, it calls `waiting` once with one line that says so. */
export async function waitForRelease(pool: pg.Pool, waiting: (line: string) => void): Promise<void> {
  for (let looked = 0; ; looked++) {
    const why = await whyHeld(pool)
    if (why === null) return
    if (looked === 0) waiting(`nothing leaves the service (${why}): waiting for flightline resume`)
    await pause(LOOK_EVERY_MS)
  }
}
