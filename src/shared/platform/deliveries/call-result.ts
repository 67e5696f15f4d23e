import type { Tx } from '../db/transaction.ts'

/** Writes what the call brought about, in the transaction that marks it. */
export type WriteResult = (tx: Tx) => Promise<void>

/** What became of one call: it is done, a later one may succeed, or none ever will. A call that throws is `later`. */
export type CallResult =
  | { state: 'done'; record?: WriteResult | undefined }
  | { state: 'later'; reason: string; error?: unknown }
  | { state: 'never'; reason: string; record?: WriteResult | undefined }

/** The other side has taken it over. */
export function done(record?: WriteResult): CallResult {
  return { state: 'done', record }
}

/** A later call may succeed. `reason` goes into the log: codes, never what the other side said in words. */
export function later(reason: string): CallResult {
  return { state: 'later', reason }
}

/** No call will succeed. `reason` goes into the log: codes, never what the other side said in words. */
export function never(reason: string, record?: WriteResult): CallResult {
  return { state: 'never', reason, record }
}
