import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { LeastRecentlyUsed } from './least-recently-used.ts'

/**
 * A statement is prepared at its fifth run. For a rarer one, preparing it on every connection costs more than it saves.
 */
const PREPARE_FROM = 5
/** The most statements whose runs a process counts. */
const COUNTED = 5_000
/** The most statements that one connection keeps prepared. */
const PREPARED = 300

/** For each statement text, the number of its runs; from the fifth run on, its name. */
let runs = new LeastRecentlyUsed<number | string>(COUNTED)
/**
 * How often all statements were prepared again, because a migration changed the columns of their results. Part of each
 * name.
 */
let renewals = 0

/**
 * Prepares the statements that a pool runs often, because planning a read costs more than running it, and neither the
 * ORM nor Kysely names its statements. A connection with more than `PREPARED` statements frees the least recently used
 * one, so that the many variants of statements with lists do not displace frequent statements. After a migration adds a
 * column, the server refuses the prepared statements that select all columns of that table. Such a statement is run
 * again unprepared, and all statements are prepared anew.
 * Implements docs/decisions/0010.
 */
export function autoPrepare(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const prepared = new LeastRecentlyUsed<true>(PREPARED)
    client.query = ((first: unknown, values?: unknown, callback?: unknown) => {
      const fits = typeof first === 'string' && Array.isArray(values) && !callback && isPrepared(first, values)
      const name = fits ? nameOf(first) : undefined
      if (!name) return query(first, values, callback)
      const forgotten = prepared.set(name, true)
      if (forgotten) deallocate(client, forgotten, query)
      return (query({ name, text: first, values }) as Promise<unknown>).catch((error: unknown) => {
        if (!isOutdatedPlan(error)) throw error
        runs = new LeastRecentlyUsed(COUNTED)
        renewals++
        // This also fails in a transaction, which the first error aborted: the caller then runs the transaction again.
        return (query(first, values) as Promise<unknown>).catch(() => Promise.reject(error))
      })
    }) as typeof client.query
  })
}

/** Returns whether the server refused a prepared statement because a migration changed the columns of its result. */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: string; routine?: string }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** A connection of `pg`, which stores the texts of its prepared statements. */
type Preparing = pg.PoolClient & { connection: { parsedStatements: Record<string, string> } }

/**
 * Frees a prepared statement. Does nothing when the server does not have it, because the command would then fail and
 * abort the transaction. In a transaction that has already failed, the statement stays prepared.
 */
function deallocate(client: pg.PoolClient, name: string, query: (...args: unknown[]) => unknown): void {
  const { parsedStatements } = (client as Preparing).connection
  if (!Object.hasOwn(parsedStatements, name)) return
  query(`deallocate "${name}"`, (error: Error | null) => {
    if (!error) delete parsedStatements[name]
  })
}

/**
 * Makes a pool send all statements without names, as required behind a pooler that gives a connection to another client
 * after each transaction.
 */
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

/**
 * Part of a statement whose best plan depends on its values, because they match few rows or most: an open window, a person. The
 * statement is never prepared.
 */
export const PLANNED_AT_EACH_RUN: RawBuilder<unknown> = sql`/* planned at each run */`

/**
 * The best plan of a text search depends on the text, so these statements are planned at each run, too. A pattern that stands
 * in the statement is the same at each run.
 */
const plannedAtEachRun = /\bi?like\b(?!\s+'[^']*'(?!\s*\|\|))|\/\* planned at each run \*\//

/**
 * A statement with a list of at least this length is not prepared, because a generic plan expects lists of ten
 * elements.
 */
const LONG_LIST = 100

/** Returns whether a statement with these values is prepared when it runs often. */
export function isPrepared(text: string, values: readonly unknown[]): boolean {
  const hasLongList = values.some((value) => Array.isArray(value) && value.length >= LONG_LIST)
  return !hasLongList && !plannedAtEachRun.test(text)
}

function nameOf(text: string): string | undefined {
  const known = runs.get(text) ?? 0
  if (typeof known === 'string') return known
  if (known + 1 < PREPARE_FROM) {
    runs.set(text, known + 1)
    return undefined
  }
  const name = `${renewals}-${createHash('sha1').update(text).digest('base64url')}`
  runs.set(text, name)
  return name
}
