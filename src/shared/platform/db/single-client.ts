import pg from 'pg'

/**
 * Creates a connection of its own, not yet open. Without a listener, an error of a lost connection would end the process; the
 * query under way, or the next one, rejects with it.
 */
export function singleClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config)
  client.on('error', () => {})
  return client
}
