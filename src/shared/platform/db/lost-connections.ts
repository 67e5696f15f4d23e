import type { Socket } from 'node:net'
import type pg from 'pg'

/** The driver's words when a server did not answer within `query_timeout`. */
const UNANSWERED = 'Query read timeout'

/**
 * Takes connections that broke out of the pool, and tells of them. The pool itself watches those that lie idle only: the
 * loss of one in use would end the process, and whoever held it may never give it back (a transaction whose rollback
 * fails does not), until the pool runs dry. One whose server did not answer in time is ended at once: a rollback would
 * wait behind the question for as long again.
 */
export function dropLostConnections(pool: pg.Pool, tell: (error: Error) => void): void {
  const inUse = new WeakSet<pg.PoolClient>()
  pool.on('error', tell)
  pool.on('acquire', (client) => inUse.add(client))
  pool.on('release', (_error, client) => inUse.delete(client))
  pool.on('connect', (client) => {
    endUnanswered(client)
    client.on('error', tell)
    client.on('end', () => {
      if (!inUse.has(client)) return
      client.release(true)
      // Its holder may still do the same.
      client.release = () => {}
    })
  })
}

function endUnanswered(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const asked = query(...args)
    if (asked instanceof Promise) asked.catch((error: Error) => error.message === UNANSWERED && stream.destroy())
    return asked
  }) as typeof client.query
}
