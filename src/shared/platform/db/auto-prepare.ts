import { createHash } from 'node:crypto'
import type pg from 'pg'

/** A statement is prepared from its fifth run on; rarer ones are not worth a plan on every connection. */
const PREPARE_FROM = 5
/** The most statements that are counted, and prepared. The limits bound memory when lists vary in length. */
const COUNTED = 5_000
const PREPARED = 300

const counts = new Map<string, number>()
const names = new Map<string, string>()

/**
 * Prepares the statements that a pool runs often. Planning a read costs more than running it, and neither the ORM nor
 * Kysely names its statements.
 */
export function autoPrepare(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((first: unknown, values?: unknown, callback?: unknown) => {
      const name = typeof first === 'string' && Array.isArray(values) && !callback ? nameOf(first) : undefined
      return name ? query({ name, text: first, values }) : query(first, values, callback)
    }) as typeof client.query
  })
}

/** The best plan of a text search depends on the text, so these statements are planned on each run. */
const looksForText = /\bi?like\b/

function nameOf(text: string): string | undefined {
  if (looksForText.test(text)) return undefined
  const name = names.get(text)
  if (name || names.size >= PREPARED) return name
  const count = (counts.get(text) ?? 0) + 1
  if (count < PREPARE_FROM) {
    if (counts.size < COUNTED || counts.has(text)) counts.set(text, count)
    return undefined
  }
  counts.delete(text)
  const made = createHash('sha1').update(text).digest('base64url')
  names.set(text, made)
  return made
}
