import type pg from 'pg'
import type { TestApp } from './app.ts'

/** The result of some work, and its statements in order. */
export interface Counted<T> {
  result: T
  statements: string[]
}

/** Statements of background work, which are not counted. */
const beside = /^\s*(insert|update|select|with)[^;]*\bbullmq\b/i

/** Runs some work and records the statements of the API's pool during it, commits and rollbacks included. */
export async function countStatements<T>(api: TestApp, work: () => Promise<T>): Promise<Counted<T>> {
  await api.core.relay.drain()
  const { pool } = api.core.database
  const statements: string[] = []
  const ends: (() => void)[] = []
  const watched = new Set<pg.PoolClient>()
  const watch = (client: pg.PoolClient) => {
    if (watched.has(client)) return
    watched.add(client)
    const { query } = client
    client.query = function counting(this: pg.PoolClient, ...args: Parameters<typeof query>) {
      const [first] = args as unknown as [string | { text: string }]
      const text = typeof first === 'string' ? first : first.text
      if (!beside.test(text)) statements.push(text)
      return query.apply(this, args)
    } as typeof query
    ends.push(() => {
      client.query = query
    })
  }
  pool.on('acquire', watch)
  try {
    return { result: await work(), statements }
  } finally {
    pool.off('acquire', watch)
    for (const end of ends) end()
  }
}
