import type { RawBuilder } from 'kysely'
import type pg from 'pg'
import type { Database } from './database.ts'

interface BatchOptions<Row> {
  /** The most rows of the whole result. */
  mostRows: number
  /** The rows of one batch. */
  batchRows: number
  /** Cancels the running statement and ends the reading. */
  signal: AbortSignal
  /** Receives the next rows. It must not wait for the HTTP client, since it keeps a connection in use. */
  onRows(rows: Row[]): void
}

/** Thrown when a query has more rows than `mostRows`. */
export class TooManyRows extends Error {}

/**
 * Reads a large result in batches from one snapshot, in constant memory: a cursor in a read-only transaction. Uses one
 * connection until the last row is read, and briefly a second one when `signal` aborts. Where the plan allows it, the
 * first rows arrive before the last ones are computed.
 * @throws TooManyRows after `mostRows` when the result has more
 */
export async function readInBatches<Row>(
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  query: RawBuilder<Row>,
  { mostRows, batchRows, signal, onRows }: BatchOptions<Row>,
): Promise<void> {
  const { sql: text, parameters } = query.compile(db)
  signal.throwIfAborted()
  const client = await pool.connect()
  let cancelled: Promise<unknown> = Promise.resolve()
  let cancel = () => {}
  try {
    await client.query({ text: 'begin read only' })
    const { rows } = await client.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
    cancel = () => {
      cancelled = pool.query({ text: 'select pg_cancel_backend($1)', values: [rows[0]?.pid] }).catch(() => {})
    }
    signal.addEventListener('abort', cancel)
    signal.throwIfAborted()
    await client.query({ text: `declare batches no scroll cursor for ${text}`, values: [...parameters] })
    await fetchAll(client, { mostRows, batchRows, signal, onRows })
  } finally {
    signal.removeEventListener('abort', cancel)
    // Waits, because a late cancellation would end the next statement of this connection.
    await cancelled
    await client.query({ text: 'rollback' }).then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
  }
}

async function fetchAll<Row>(
  client: pg.PoolClient,
  { mostRows, batchRows, signal, onRows }: BatchOptions<Row>,
): Promise<void> {
  for (let read = 0; ; ) {
    const { rows } = await client.query({ text: `fetch ${batchRows} from batches` })
    signal.throwIfAborted()
    read += rows.length
    if (read > mostRows) throw new TooManyRows()
    onRows(rows as Row[])
    if (rows.length < batchRows) return
  }
}
