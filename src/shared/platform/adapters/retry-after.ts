/** Returns a Retry-After header in seconds; the header is seconds or a date. Null when there is none. */
export function retryAfterSeconds(headers: Headers, nowMs = Date.now()): number | null {
  const said = headers.get('retry-after')?.trim()
  if (!said) return null
  const seconds = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - nowMs) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}
