/** When the other side asks to be asked again, in seconds: it may say so in seconds or as a date. Null when it does not. */
export function retryAfterSeconds(headers: Headers, nowMs = Date.now()): number | null {
  const said = headers.get('retry-after')?.trim()
  if (!said) return null
  const seconds = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - nowMs) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}
