import type pg from 'pg'

/**
 * Takes connections that broke out of the pool, and tells of them. The pool itself watches those that lie idle only: the
 * loss of one in use would end the process, and whoever held it may never give it back (a transaction whose rollback
 * fails does not), until the pool runs dry.
 */
export function dropLostConnections(pool: pg.Pool, tell: (error: Error) => void): void {
  const inUse = new WeakSet<pg.PoolClient>()
  pool.on('error', tell)
  pool.on('acquire', (client) => inUse.add(client))
  pool.on('release', (_error, client) => inUse.delete(client))
  pool.on('connect', (client) => {
    client.on('error', tell)
    client.on('end', () => {
      if (!inUse.has(client)) return
      client.release(true)
      // Its holder may still do the same.
      client.release = () => {}
    })
  })
}
