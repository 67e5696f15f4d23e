import type { Tx } from '../db/transaction.ts'

/** Stores the effects of a call, in the transaction that stores its result. */
export type WriteResult = (tx: Tx) => Promise<void>

/** The result of one call: done, retryable (`later`), or permanently failed (`never`). A call that throws counts as `later`. */
export type CallResult =
  | { state: 'done'; record?: WriteResult | undefined }
  | { state: 'later'; reason: string; error?: unknown }
  | { state: 'never'; reason: string; record?: WriteResult | undefined }

/** Returns the result of a successful call. */
export function done(record?: WriteResult): CallResult {
  return { state: 'done', record }
}

/** Returns the result of a call that may succeed later. `reason` is logged: codes only, never the other side's text. */
export function later(reason: string): CallResult {
  return { state: 'later', reason }
}

/**
 * Returns the result of a call that will never succeed. `reason` is logged: codes only, never the other side's text.
 */
export function never(reason: string, record?: WriteResult): CallResult {
  return { state: 'never', reason, record }
}

/** The call is not made now, because another run may be making it. The job runs again after `waitMs`; this attempt does not count. */
export class DeliveryBusy extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('Another run is making this call.')
    this.name = 'DeliveryBusy'
    this.waitMs = waitMs
  }
}

/** Returns the delay of a Retry-After header, which has seconds or a date, in seconds; null when it is missing or malformed. */
export function retryAfterSeconds(headers: Headers, nowMs = Date.now()): number | null {
  const said = headers.get('retry-after')?.trim()
  if (!said) return null
  const seconds = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - nowMs) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}
