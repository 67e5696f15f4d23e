import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/**
 * The start of the comment on the table of migrations while the workers are held. Only the owner of the tables can
 * write the comment.
 */
const HELD = 'held: '
const LOOK_EVERY_MS = 1_000

/** The start of the reason of a hold after a restore. The instant of the backup follows it. */
export const RESTORED = 'restored from the backup of '

/** Holds the workers until `release`: they start no job, so that nothing leaves the service. */
export async function hold(client: pg.ClientBase, why: string): Promise<void> {
  const text = `${HELD}${why.replaceAll("'", '')}`
  await client.query(`comment on table migration is '${text}'`)
}

/** Ends the hold. */
export async function release(client: pg.ClientBase): Promise<void> {
  await client.query('comment on table migration is null')
}

/** Returns why the workers are held; null when they are not held. */
export async function whyHeld(client: pg.ClientBase | pg.Pool): Promise<string | null> {
  const { rows } = await client.query<{ text: string | null }>(
    `select obj_description(to_regclass('migration')) as text`,
  )
  const { text = null } = rows[0] ?? {}
  return text?.startsWith(HELD) ? text.slice(HELD.length) : null
}

/** Returns the instant of the backup in the reason of a hold; null when the hold has another reason. */
export function backupIn(why: string): Date | null {
  const [, instant] = new RegExp(`^${RESTORED}(\\S+)$`).exec(why) ?? []
  return instant ? new Date(instant) : null
}

/**
 * Waits without a limit while the workers are held. When it must wait, it calls `waiting` once with a line for the
 * log.
 */
export async function waitForRelease(pool: pg.Pool, waiting: (line: string) => void): Promise<void> {
  for (let looked = 0; ; looked++) {
    const why = await whyHeld(pool)
    if (why === null) return
    if (looked === 0) waiting(`nothing leaves the service (${why}): waiting for flightline resume`)
    await pause(LOOK_EVERY_MS)
  }
}
