/** SQLSTATE classes of a server that is down, starting, out of connections or disk, or too slow. */
const databaseAway = /^(08|53|57)/
const networkAway = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
const saidInWords =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered/

/** Returns whether an error means that a dependency is unavailable, so that a retry can succeed soon. */
export function isAway(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const code = (cause as { code?: unknown }).code
    if (typeof code === 'string' && (databaseAway.test(code) || networkAway.has(code))) return true
    if (saidInWords.test(cause.message)) return true
  }
  return false
}
