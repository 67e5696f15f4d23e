import { setTimeout as pause } from 'node:timers/promises'
import type { CallResult, WriteResult } from '../adapters/call-result.ts'
import { DeliveryBusy } from '../adapters/call-result.ts'
import { isAway } from '../db/lost-connections.ts'
import type { JobRun, JobTools } from '../jobs/job-tools.ts'
import { Permanent } from '../kernel/errors.ts'
import { limitRunningTime } from '../kernel/running-time.ts'
import type { DeliveryKind, DeliveryOutcome } from '../platform.tables.ts'
import { inSpan } from '../tracing/tracing.ts'
import { CLAIM_SECONDS, type Claim, claimDeliveries, type Deliveries, endClaims } from './delivery.access.ts'

/** The time limit of one call in milliseconds. A call that was not answered is retried when its claim ends. */
const CALL_LIMIT_MS = 20_000
/** The longest that claiming may take. After it, too little of the claim's time is left for a call. */
const CLAIM_USABLE_MS = CLAIM_SECONDS * 1_000 - CALL_LIMIT_MS
/** The longest wait before a retry while another run makes the call. */
const LOOK_AGAIN_MS = 1_000
/** The wait before the next attempt to write the result of a call. */
const MARK_AGAIN_MS = 100

/** One call to an external service. */
export interface Delivery {
  kind: DeliveryKind
  /** Identifies the call; the job's id when absent. */
  subject?: string
  /** Makes the call. `Permanent` means that no call will succeed; another error, that a later call may succeed. */
  call(claim: Claim, signal: AbortSignal): Promise<CallResult>
  /** Writes the failure of the last attempt, in the transaction that marks the delivery as given up. */
  onGivenUp?: WriteResult
}

/** Several calls that an adapter makes together. */
export interface DeliveryBatch {
  kind: DeliveryKind
  subjects: readonly string[]
  /** Makes the calls and returns the result of each, in the order of the claims. */
  call(claims: readonly Claim[], signal: AbortSignal): Promise<readonly CallResult[]>
  onGivenUp?: WriteResult
}

/**
 * Makes one external call, only once: claims it in the database, calls for at most 20 seconds without an open
 * transaction, and writes its result. Returns when the call has been made, by this run or an earlier one.
 * Implements docs/decisions/0015.
 * @throws Permanent when no call will succeed, or this was the last attempt
 * @throws DeliveryBusy while another run holds the claim
 * @throws Error of the call when a later call may succeed; the job's back-off sets its time
 */
export function deliver(tools: JobTools, run: JobRun, delivery: Delivery): Promise<void> {
  const { kind, subject = run.id, call, onGivenUp } = delivery
  return deliverBatch(tools, run, {
    kind,
    subjects: [subject],
    call: async ([claim], signal) => [await call(claim!, signal)],
    ...(onGivenUp && { onGivenUp }),
  })
}

/**
 * Makes several external calls together, like `deliver`. Each is claimed, marked and retried separately.
 * @throws Permanent when the calls that failed will not succeed, or this was their last attempt
 * @throws DeliveryBusy while another run holds a claim
 * @throws Error when a failed call is tried again; the job's back-off sets its time
 */
export async function deliverBatch(tools: JobTools, run: JobRun, batch: DeliveryBatch): Promise<void> {
  const { kind, subjects } = batch
  const { claims, busyForMs } = await claim(tools, {
    kind,
    subjects,
    organizationId: run.organizationId,
    jobId: run.id,
  })
  const { results, timedOut } = await callWithinTime(batch, claims)
  const inState = (state: CallResult['state']) => claims.filter((_, index) => results[index]?.state === state)
  const last = inState('later').filter(({ attempt }) => run.lastAttempt || attempt >= run.attempts)

  await mark(tools, kind, inState('done'), 'delivered', recordsOf(results, 'done'))
  await mark(tools, kind, inState('never'), 'given_up', recordsOf(results, 'never'))
  await mark(tools, kind, last, 'given_up', last.length > 0 && batch.onGivenUp ? [batch.onGivenUp] : [])
  if (!timedOut)
    await mark(
      tools,
      kind,
      inState('later').filter((claimed) => !last.includes(claimed)),
      null,
      [],
    )

  const failed = results.filter((result) => result.state !== 'done')
  if (last.length < inState('later').length) throw errorOf(kind, failed, results.length)
  if (busyForMs !== null) throw new DeliveryBusy(Math.min(Math.max(busyForMs, 0) + 10, LOOK_AGAIN_MS))
  if (failed.length > 0) throw new Permanent(summaryOf(kind, failed, results.length))
}

async function claim(tools: JobTools, deliveries: Deliveries) {
  const asked = performance.now()
  const claimed = await claimDeliveries(tools.database.db, deliveries)
  // The process or the database was paused, so the claims may have expired and another run may hold them.
  if (claimed.claims.length > 0 && performance.now() - asked > CLAIM_USABLE_MS) throw new DeliveryBusy(LOOK_AGAIN_MS)
  return claimed
}

async function callWithinTime(
  batch: DeliveryBatch,
  claims: readonly Claim[],
): Promise<{ results: readonly CallResult[]; timedOut: boolean }> {
  if (claims.length === 0) return { results: [], timedOut: false }
  const limit = limitRunningTime(CALL_LIMIT_MS)
  const timeUp = new Promise<null>((resolve) => {
    limit.signal.addEventListener('abort', () => resolve(null), { once: true })
  })
  const forAll = (result: CallResult) => claims.map(() => result)
  try {
    const call = () => Promise.race([batch.call(claims, limit.signal), timeUp])
    const answered = await inSpan(
      batch.kind,
      { kind: 'client', attributes: { 'flightline.calls': claims.length } },
      call,
    )
    if (answered) return { results: answered, timedOut: false }
    return { results: forAll({ state: 'later', reason: 'timeout' }), timedOut: true }
  } catch (error) {
    return { results: forAll(thrown(error)), timedOut: limit.signal.aborted }
  } finally {
    limit.clear()
  }
}

function thrown(error: unknown): CallResult {
  const reason = error instanceof Error ? error.message : String(error)
  return error instanceof Permanent ? { state: 'never', reason } : { state: 'later', reason, error }
}

function recordsOf(results: readonly CallResult[], state: 'done' | 'never'): WriteResult[] {
  return results.flatMap((result) => (result.state === state && result.record ? [result.record] : []))
}

/**
 * Ends claims and writes the effects of their calls, in one transaction. Retries while the database is unavailable,
 * because a call without a written result would be made twice.
 */
async function mark(
  tools: JobTools,
  kind: DeliveryKind,
  claims: readonly Claim[],
  outcome: DeliveryOutcome | null,
  records: readonly WriteResult[],
): Promise<void> {
  if (claims.length === 0) return
  for (;;) {
    try {
      await tools.transaction(async (tx) => {
        await endClaims(tx.db, kind, claims, outcome)
        for (const record of records) await record(tx)
      })
      return
    } catch (error) {
      if (!isAway(error)) throw error
      await pause(MARK_AGAIN_MS)
    }
  }
}

type Failed = Exclude<CallResult, { state: 'done' }>

/**
 * Returns the error of failed calls. For a single call with state `later`: the adapter's error, if there is one,
 * because it can carry a retry time. Otherwise: an error that summarizes the reasons.
 */
function errorOf(kind: DeliveryKind, failed: readonly CallResult[], total: number): unknown {
  const [first] = failed
  if (total === 1 && first?.state === 'later' && first.error !== undefined) return first.error
  return new Error(summaryOf(kind, failed, total))
}

function summaryOf(kind: DeliveryKind, failed: readonly CallResult[], total: number): string {
  const reasons = new Set(failed.map((result) => (result as Failed).reason))
  const count = total === 1 ? '' : ` ${failed.length} of ${total}`
  return `${kind}:${count} not delivered (${[...reasons].join(', ')})`
}
