import { StripeFault } from './stripe-fault.ts'

/** A stored answer; the body is kept as sent, so that a replay is identical. */
export interface Answer {
  status: number
  body: string
  headers: Record<string, string>
}

/** A request with an idempotency key, and the stored answer. `answer` is null while the work runs. */
export interface KeptAnswer {
  path: string
  params: string
  /** Seconds since 1970. */
  at: number
  answer: Answer | null
}

/** Stripe keeps a key for 24 hours. */
const KEPT_SECONDS = 24 * 3600

/** The idempotency key of a request (with its account); a repeat must have the same path and parameters. */
interface Keyed {
  key: string
  path: string
  params: string
  now: number
}

/**
 * Runs a request once per idempotency key. A repeated request gets the stored first answer, even when that is a
 * failure. A request that was refused before its work began is not stored.
 * @throws StripeFault when a repeat has another path or other parameters (400), or when the first request still runs
 * (409)
 */
export async function onceByKey(
  kept: Map<string, KeptAnswer>,
  { key, path, params, now }: Keyed,
  work: () => Promise<{ answer: Answer; begun: boolean }>,
): Promise<Answer> {
  const before = kept.get(key)
  if (before && before.at > now - KEPT_SECONDS) return repeat(before, { key, path, params, now })
  const entry: KeptAnswer = { path, params, at: now, answer: null }
  kept.set(key, entry)
  try {
    const { answer, begun } = await work()
    if (begun) entry.answer = answer
    return answer
  } finally {
    if (entry.answer === null) kept.delete(key)
  }
}

function repeat(before: KeptAnswer, { key, path, params }: Keyed): Answer {
  const name = key.slice(key.indexOf(' ') + 1)
  const instead = `Try using a key other than '${name}' if you meant to execute a different request.`
  if (before.path !== path) {
    const message = `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${before.path}' vs '${path}'). ${instead}`
    throw new StripeFault(400, { type: 'idempotency_error', message })
  }
  if (before.params !== params) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. ${instead}`
    throw new StripeFault(400, { type: 'idempotency_error', message })
  }
  if (before.answer === null) {
    const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${name}. Please try again later.`
    throw new StripeFault(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use', message })
  }
  return { ...before.answer, headers: { ...before.answer.headers, 'idempotent-replayed': 'true' } }
}

/** Deletes expired keys. */
export function forgetOld(kept: Map<string, KeptAnswer>, now: number): void {
  for (const [key, { at, answer }] of kept) {
    if (answer !== null && at <= now - KEPT_SECONDS) kept.delete(key)
  }
}
