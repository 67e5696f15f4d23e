/**
 * SQLSTATEs of a database that answers but cannot be used as it is: no such database, a refused sign-in, no such schema or
 * table. The cure is an operator's: the address, the password, or the migrations of this release.
 */
const causes: Record<string, string> = {
  '3D000': 'there is no such database',
  '28P01': 'the password is wrong, or there is no such role',
  '28000': 'the role may not sign in',
  '3F000': 'a schema is missing: run the migrations',
  '42P01': 'a table is missing: run the migrations',
}

/**
 * Returns what is wrong with a database that cannot be used as it is, in one line for the log; null for other errors.
 * The line names no value of a query.
 */
export function whyUnusable(error: unknown): string | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const { code } = cause as { code?: unknown }
    const why = typeof code === 'string' ? causes[code] : undefined
    if (why) return `${why} (${code}: ${cause.message.split('\n')[0]})`
  }
  return null
}
