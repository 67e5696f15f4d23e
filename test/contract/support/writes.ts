import type pg from 'pg'

/** A statement that changes no table: one statement, which reads or bounds a transaction, and no function that writes. */
const onlyReads = /^\s*(begin|start transaction|commit|rollback|savepoint|release savepoint|set|select)\b[^;]*$/i
const writingFunction = /\b(bullmq|nextval|setval|purge_\w+)\b/i

/** Watches a pool from now on. The function that it returns says whether anything but reads was sent since its last call. */
export function watchWrites(pool: pg.Pool): () => boolean {
  const watched = new WeakSet<pg.PoolClient>()
  let written = false
  pool.on('acquire', (client) => {
    if (watched.has(client)) return
    watched.add(client)
    const { query } = client
    client.query = function watching(this: pg.PoolClient, ...args: Parameters<typeof query>) {
      const [first] = args as unknown as [string | { text?: string }]
      const text = typeof first === 'string' ? first : (first.text ?? '')
      if (!onlyReads.test(text) || writingFunction.test(text)) written = true
      return query.apply(this, args)
    } as typeof query
  })
  return () => {
    const so = written
    written = false
    return so
  }
}
