import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

const KEPT_MS = 60_000
/** The most answers that a process keeps; the oldest goes first. */
const MOST_KEPT = 100

interface Kept<Slots> {
  at: number
  /** The state of the organization before the search. */
  state: string
  slots: Slots
}

interface Asked {
  organizationId: number
  now: Date
  /** What was asked, which its text tells apart. */
  question: object
}

/** Returns a function that answers a question as it did within the last minute, while nothing of its organization changed since. */
export function keepSlots<Slots>() {
  const kept = new Map<string, Kept<Slots>>()
  return async (db: Db, { organizationId, now, question }: Asked, search: () => Promise<Slots>): Promise<Slots> => {
    const asked = JSON.stringify(question)
    const known = kept.get(`${organizationId} ${asked}`)
    const isFresh = known !== undefined && Math.abs(now.getTime() - known.at) < KEPT_MS
    if (isFresh && (await findState(db, organizationId, known.at)) === known.state) return known.slots
    const at = now.getTime()
    const state = await findState(db, organizationId, at)
    const slots = await search()
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
    kept.set(`${organizationId} ${asked}`, { at, state, slots })
    return slots
  }
}

/** The tables of facts that change without an event. */
const unrecorded = [
  'availability',
  'currency',
  'enrollment',
  'location',
  'maintenance_item',
  'maintenance_limit',
  'resource',
  'time_off',
  'training_course',
]

/**
 * Returns a text that changes with the facts of an organization: how many events are of a minute before an instant or later, since a transaction that
 * began then may end only now, and the rows of the tables that change without one, with the sum
 * of their transactions, since a transaction may end after those that began later.
 */
async function findState(db: Db, organizationId: number, at: number): Promise<string> {
  const since = new Date(at - KEPT_MS)
  const states = [
    sql`select 'event ' || count(*) from event where organization_id = ${organizationId} and at >= ${since}`,
    ...unrecorded.map(
      (table) => sql`select ${table}::text || ' ' || count(*) || ' ' || coalesce(sum(transaction_id::text::bigint), 0)
        from ${sql.table(table)} where organization_id = ${organizationId}`,
    ),
  ]
  const { rows } = await sql<{ state: string }>`
    select string_agg(state, ', ' order by state) as state
    from (${sql.join(states, sql` union all `)}) as s (state)`.execute(db)
  return rows[0]!.state
}
