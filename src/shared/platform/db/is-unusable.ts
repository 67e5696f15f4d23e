import { READ_ONLY } from './primary-client.ts'

/**
 * SQLSTATEs of a database that answers but cannot be used: no such database, a refused sign-in, no such schema or
 * table, a read-only server. An operator must correct the address, the password or the migrations, or promote a standby.
 */
const causes: Record<string, string> = {
  '3D000': 'there is no such database',
  '28P01': 'the password is wrong, or there is no such role',
  '28000': 'the role may not sign in',
  '3F000': 'a schema is missing: run the migrations',
  '42P01': 'a table is missing: run the migrations',
  [READ_ONLY]: 'the server is read-only: it is a standby, or an operator made it so',
}

/** Returns why a database cannot be used, as one line for the log without values of a query; null for other errors. */
export function whyUnusable(error: unknown): string | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const { code } = cause as { code?: unknown }
    const why = typeof code === 'string' ? causes[code] : undefined
    if (why) return `${why} (${code}: ${cause.message.split('\n')[0]})`
  }
  return null
}
