import type { Socket } from 'node:net'
import type pg from 'pg'
import { READ_ONLY } from './primary-client.ts'

/** The driver's message when a server does not answer within `query_timeout`. */
const UNANSWERED = 'Query read timeout'

/**
 * Removes broken connections from the pool and reports their errors. The pool handles only errors of idle connections.
 * An error of a connection in use would end the process, and its user may never release it (for example a transaction
 * whose rollback fails), until the pool has no connections left. A connection whose server did not answer in time is
 * destroyed immediately, since a rollback would wait for as long again. So is one whose server refused a write because it
 * is read-only: the next connection may reach the new primary.
 */
export function dropLostConnections(pool: pg.Pool, onError: (error: Error) => void): void {
  const inUse = new WeakSet<pg.PoolClient>()
  pool.on('error', onError)
  pool.on('acquire', (client) => inUse.add(client))
  pool.on('release', (_error, client) => inUse.delete(client))
  pool.on('connect', (client) => {
    endUseless(client)
    client.on('error', onError)
    client.on('end', () => {
      if (!inUse.has(client)) return
      client.release(true)
      // The user may still release it, and a second release would throw.
      client.release = () => {}
    })
  })
}

function endUseless(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const asked = query(...args)
    if (asked instanceof Promise) {
      asked.catch(({ message, code }: Error & { code?: string }) => {
        if (message === UNANSWERED || code === READ_ONLY) stream.destroy()
      })
    }
    return asked
  }) as typeof client.query
}

/** SQLSTATE classes of a server that is down, starting, out of connections or disk, or too slow, and that of a read-only one. */
const databaseAway = new RegExp(`^(08|53|57|${READ_ONLY})`)
/** The last four: the machine is gone, or the way to it. */
const networkAway = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
])
const saidInWords =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered/

/**
 * Returns whether an error means that the pool of this process had no free connection in time, so that nothing was
 * started.
 */
export function isStarved(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause.message.includes('timeout exceeded when trying to connect')) return true
  }
  return false
}

/** Returns whether an error means that a dependency is unavailable, so that a retry can succeed soon. */
export function isAway(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const code = (cause as { code?: unknown }).code
    if (typeof code === 'string' && (databaseAway.test(code) || networkAway.has(code))) return true
    if (saidInWords.test(cause.message)) return true
  }
  return false
}
