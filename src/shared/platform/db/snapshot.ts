import type { RawBuilder } from 'kysely'
import type { Database } from './database.ts'

/** Yields the rows of a query in batches. Only one query can be read at a time. */
export type ReadSnapshot = <Row>(query: RawBuilder<Row>) => AsyncGenerator<Row[]>

const BATCH_ROWS = 500

/**
 * Runs work that can read many large results from one snapshot of the database. Cursors read the rows in batches, at
 * the speed of the reader and in constant memory. It holds one connection until the work is done, so only jobs may use
 * it.
 */
export async function inSnapshot<T>(
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  work: (read: ReadSnapshot) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  async function* read<Row>(query: RawBuilder<Row>): AsyncGenerator<Row[]> {
    const { sql: text, parameters } = query.compile(db)
    await client.query({ text: `declare snapshot_rows no scroll cursor for ${text}`, values: [...parameters] })
    for (;;) {
      const { rows } = await client.query({ text: `fetch ${BATCH_ROWS} from snapshot_rows` })
      if (rows.length > 0) yield rows as Row[]
      if (rows.length < BATCH_ROWS) break
    }
    await client.query({ text: 'close snapshot_rows' })
  }
  try {
    await client.query({ text: 'begin isolation level repeatable read read only' })
    const result = await work(read)
    await client.query({ text: 'rollback' })
    client.release()
    return result
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}
