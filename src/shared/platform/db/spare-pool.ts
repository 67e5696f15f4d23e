import pg from 'pg'
import { dropLostConnections } from './lost-connections.ts'
import { PrimaryClient } from './primary-client.ts'

/** The time limits for opening the connection and for a statement. */
const CONNECTION_TIMEOUT_MS = 5_000
const QUERY_TIMEOUT_MS = 5_000
const KEEP_ALIVE_MS = 10_000

/**
 * Opens a pool of one connection for work that must not wait behind requests and jobs: the health check, and the leases
 * of running requests. The connection stays open, so that it works while the server has no free connection.
 */
export function openSparePool(databaseUrl: string, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    Client: PrimaryClient,
    connectionString: databaseUrl,
    application_name: 'flightline-spare',
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  dropLostConnections(pool, onError)
  return pool
}
