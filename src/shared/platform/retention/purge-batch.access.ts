import { type RawBuilder, sql } from 'kysely'
import type { Kept, Table } from '../db/declare-table.ts'
import type { Tx } from '../db/transaction.ts'
import { keptSince } from './retention.rules.ts'

/** The most rows that one transaction deletes. */
export const PURGED_AT_ONCE = 1_000

/** Returns the names of the tables with a retention period. */
export function purgedTables(tables: readonly Table[]): string[] {
  return tables.flatMap(({ name, kept }) => (kept ? [name] : []))
}

/**
 * Deletes at most `PURGED_AT_ONCE` expired rows of a table and skips locked rows. Returns the number of deleted rows.
 */
export async function purgeBatch(tx: Tx, name: string): Promise<number> {
  const kept = tx.tables.find((table) => table.name === name)?.kept
  if (!kept) throw new RangeError(`the rows of ${name} have no retention period`)
  if ('purge' in kept) {
    const { rows } = await sql<{ purged: number }>`
      select ${sql.id(kept.purge)}(${keptSince(tx.now, kept.days)}, ${PURGED_AT_ONCE}) as purged`.execute(tx.db)
    return rows[0]?.purged ?? 0
  }
  const table = sql.table(name)
  const { numAffectedRows } = await sql`
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${isExpired(kept, tx.now)}
      limit ${PURGED_AT_ONCE} for update skip locked))`.execute(tx.db)
  return Number(numAffectedRows ?? 0)
}

/** Returns the SQL condition of expired rows. An index serves it. */
function isExpired(kept: Exclude<Kept<string>, { purge: string }>, now: Date): RawBuilder<unknown> {
  if ('until' in kept) return sql`${sql.ref(kept.until)} < ${now}`
  if ('unless' in kept) return sql.raw(kept.unless)
  const { days, since, where, fewer } = kept
  const before = (limit: number) => sql`${sql.ref(since)} < ${keptSince(now, limit)}`
  if (fewer) return sql`${before(fewer.days)} and (${sql.raw(fewer.where)} or ${before(days)})`
  return where ? sql`${before(days)} and ${sql.raw(where)}` : before(days)
}
