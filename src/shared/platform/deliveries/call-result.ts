import type { Tx } from '../db/transaction.ts'

/** Writes the effect of a call, in the transaction that marks it. */
export type WriteResult = (tx: Tx) => Promise<void>

/** The result of one call: done, retryable (`later`), or failed for good (`never`). A call that throws is `later`. */
export type CallResult =
  | { state: 'done'; record?: WriteResult | undefined }
  | { state: 'later'; reason: string; error?: unknown }
  | { state: 'never'; reason: string; record?: WriteResult | undefined }

/** The call succeeded. */
export function done(record?: WriteResult): CallResult {
  return { state: 'done', record }
}

/** A later call may succeed. `reason` is logged: codes only, never the other side's text. */
export function later(reason: string): CallResult {
  return { state: 'later', reason }
}

/** No call will succeed. `reason` is logged: codes only, never the other side's text. */
export function never(reason: string, record?: WriteResult): CallResult {
  return { state: 'never', reason, record }
}

/** Another run holds the claim: the job looks again after `waitMs`, without losing an attempt. */
export class DeliveryBusy extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('Another run is making this call.')
    this.name = 'DeliveryBusy'
    this.waitMs = waitMs
  }
}

/** Returns a Retry-After header in seconds; the header is seconds or a date. Null when there is none. */
export function retryAfterSeconds(headers: Headers, nowMs = Date.now()): number | null {
  const said = headers.get('retry-after')?.trim()
  if (!said) return null
  const seconds = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - nowMs) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}
