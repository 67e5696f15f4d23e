import { createHash } from 'node:crypto'
import type pg from 'pg'
import { LeastRecentlyUsed } from './least-recently-used.ts'

/** A statement is prepared from its fifth run on; rarer ones are not worth a plan on every connection. */
const PREPARE_FROM = 5
/** The most statements whose runs are counted, by this process. */
const COUNTED = 5_000
/** The most statements that one connection has prepared. */
const PREPARED = 300

/** How often a statement ran, by its text; from the fifth run on, its name. */
const runs = new LeastRecentlyUsed<number | string>(COUNTED)

/**
 * Prepares the statements that a pool runs often. Planning a read costs more than running it, and neither the ORM nor
 * Kysely names its statements. A connection that has too many drops the one that it ran longest ago, so that
 * statements whose lists vary in length do not take the place of those that run all the time.
 */
export function autoPrepare(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const prepared = new LeastRecentlyUsed<true>(PREPARED)
    client.query = ((first: unknown, values?: unknown, callback?: unknown) => {
      const fits = typeof first === 'string' && Array.isArray(values) && !callback && !values.some(isLongList)
      const name = fits ? nameOf(first) : undefined
      if (!name) return query(first, values, callback)
      const forgotten = prepared.set(name, true)
      if (forgotten) deallocate(client, forgotten, query)
      return query({ name, text: first, values })
    }) as typeof client.query
  })
}

/** A connection of `pg`, which keeps the texts of what it prepared. */
type Preparing = pg.PoolClient & { connection: { parsedStatements: Record<string, string> } }

/**
 * Frees a prepared statement, if the server has it: to free another would fail, and its transaction with it. In a
 * transaction that has failed already it stays prepared.
 */
function deallocate(client: pg.PoolClient, name: string, query: (...args: unknown[]) => unknown): void {
  const { parsedStatements } = (client as Preparing).connection
  if (!Object.hasOwn(parsedStatements, name)) return
  query(`deallocate "${name}"`, (error: Error | null) => {
    if (!error) delete parsedStatements[name]
  })
}

/** Sends no statement with a name, as a pooler needs it that hands a connection to another client after a transaction. */
export function neverPrepare(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((first: unknown, ...others: unknown[]) => {
      if (typeof first !== 'object' || first === null || !('name' in first)) return query(first, ...others)
      const { name: _, ...unnamed } = first
      return query(unnamed, ...others)
    }) as typeof client.query
  })
}

/** The best plan of a text search depends on the text, so these statements are planned on each run. */
const looksForText = /\bi?like\b/

/** From this length on, a list of ids has a plan of its own: one that is made for any list expects ten. */
const LONG_LIST = 100

function isLongList(value: unknown): boolean {
  return Array.isArray(value) && value.length >= LONG_LIST
}

function nameOf(text: string): string | undefined {
  if (looksForText.test(text)) return undefined
  const known = runs.get(text) ?? 0
  if (typeof known === 'string') return known
  if (known + 1 < PREPARE_FROM) {
    runs.set(text, known + 1)
    return undefined
  }
  const name = createHash('sha1').update(text).digest('base64url')
  runs.set(text, name)
  return name
}
