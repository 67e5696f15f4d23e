import pg from 'pg'

/**
 * Creates a client outside of any pool, not connected yet. Its error listener keeps the process alive when the
 * connection is lost; the running query, or the next one, rejects with the error.
 */
export function singleClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config)
  client.on('error', () => {})
  return client
}
