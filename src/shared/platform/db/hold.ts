import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** What the comment on the list of migrations begins with while the workers are held. Only the owner of the tables can write it. */
const HELD = 'held: '
const LOOK_EVERY_MS = 1_000

/** Why they are held after a restore, followed by the instant of the backup. */
export const RESTORED = 'restored from the backup of '

/** Holds everything that leaves the service, until `release`: workers start no job. */
export async function hold(client: pg.ClientBase, why: string): Promise<void> {
  const text = `${HELD}${why.replaceAll("'", '')}`
  await client.query(`comment on table migration is '${text}'`)
}

/** Ends the hold. */
export async function release(client: pg.ClientBase): Promise<void> {
  await client.query('comment on table migration is null')
}

/** Returns why the workers are held, or null. */
export async function whyHeld(client: pg.ClientBase | pg.Pool): Promise<string | null> {
  const { rows } = await client.query<{ text: string | null }>(
    `select obj_description(to_regclass('migration')) as text`,
  )
  const { text = null } = rows[0] ?? {}
  return text?.startsWith(HELD) ? text.slice(HELD.length) : null
}

/** Returns the instant of the backup for whose sake the workers are held; null when they are held for another reason. */
export function backupIn(why: string): Date | null {
  const [, instant] = new RegExp(`^${RESTORED}(\\S+)$`).exec(why) ?? []
  return instant ? new Date(instant) : null
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
