import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { Db, Tables } from '../../shared/platform/db/database.ts'
import { httpErrors } from './http.errors.ts'

/** A stored response, or the result of a use case whose response was not stored. */
export type Replay =
  | { kind: 'first'; claim: Claim }
  | { kind: 'answered'; status: number; answer: string | null }
  | { kind: 'committed'; outcome: unknown }

/** One POST with an Idempotency-Key. A key belongs to the account, or to the IP address when there is no token. */
export interface IdempotentRequest {
  owner: string
  key: string
  /** The organization of the request. Its deletion deletes the stored response. */
  organizationId: number | null
  /** The keyed hash of method, URL, organization and parsed body. */
  fingerprint: string
}

/** The claim of a running request on its key. */
export interface Claim extends IdempotentRequest {
  /** When the key was claimed, to the millisecond. A later claim of the same key has another time: a claim lasts longer. */
  claimedAt: string
}

/**
 * How long a claim lasts, in seconds. The process renews it each second while the request runs. So the key is free
 * again at most this long after its process crashed.
 */
const LEASE_SECONDS = 3
const RENEW_MS = 1_000
const WAIT_MS = 30_000
const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

/**
 * Returns the request with its Idempotency-Key.
 * @throws Invalid when the key is not 1 to 255 printable characters.
 */
export function idempotentRequest(
  header: string | string[],
  owner: string,
  request: Pick<IdempotentRequest, 'organizationId' | 'fingerprint'>,
): IdempotentRequest {
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw httpErrors.keyMalformed()
  }
  return { owner, key: header, ...request }
}

/**
 * Claims the key, or returns the stored response or outcome of the first request with it. While the first request runs,
 * a second one waits for it.
 * Implements interface §Conventions that hold across the interface.
 * @throws Conflict IDEMPOTENCY_MISMATCH when the key was used for another request.
 * @throws Unavailable when the first request still runs after the waiting time.
 */
export async function claim(db: Db, request: IdempotentRequest): Promise<Replay> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const inserted = await db
      .insertInto('idempotency_key')
      .values({
        owner: request.owner,
        key: request.key,
        organization_id: request.organizationId,
        fingerprint: request.fingerprint,
        locked_until: leaseEnd,
      })
      .onConflict((conflict) =>
        // A key can be claimed again after a day, or when its request crashed before the commit.
        conflict
          .columns(['owner', 'key'])
          .doUpdateSet({
            organization_id: request.organizationId,
            fingerprint: request.fingerprint,
            locked_until: leaseEnd,
            outcome: null,
            status: null,
            answer: null,
            created_at: sql<Date>`now()`,
          })
          .where(sql<boolean>`idempotency_key.created_at < now() - interval '24 hours'
          or (idempotency_key.status is null and idempotency_key.outcome is null and idempotency_key.locked_until < now())`),
      )
      .returning(sql<string>`created_at::text`.as('claimedAt'))
      .executeTakeFirst()
    if (inserted) return { kind: 'first', claim: { ...request, claimedAt: inserted.claimedAt } }
    const held = await db
      .selectFrom('idempotency_key')
      .select(['fingerprint', 'status', 'answer', 'outcome', sql<boolean>`locked_until < now()`.as('abandoned')])
      .where('owner', '=', request.owner)
      .where('key', '=', request.key)
      .executeTakeFirst()
    if (held) {
      if (held.fingerprint !== request.fingerprint) {
        throw httpErrors.keyMismatch()
      }
      if (held.status !== null) return { kind: 'answered', status: held.status, answer: held.answer }
      if (held.outcome !== null && held.abandoned) {
        return { kind: 'committed', outcome: (held.outcome as { value: unknown }).value }
      }
    }
    if (Date.now() > deadline) throw httpErrors.keyStillRunning()
    await pause(50)
  }
}

/**
 * Renews a claim each second until the returned function is called. Skips a claim that a transaction has locked, since
 * other requests with the key then wait for that transaction. `spare` is a pool that requests do not use.
 */
export function keepClaimed(spare: pg.Pool, { owner, key, claimedAt }: Claim): () => void {
  let renewing = false
  const timer = setInterval(() => {
    if (renewing) return
    renewing = true
    spare
      .query(renewal, [owner, key, claimedAt, LEASE_SECONDS])
      // A claim that is not renewed expires. When another request has claimed the key, this one cannot commit.
      .catch(() => undefined)
      .finally(() => {
        renewing = false
      })
  }, RENEW_MS)
  timer.unref()
  return () => clearInterval(timer)
}

const renewal = `
  update idempotency_key k set locked_until = now() + make_interval(secs => $4) from (
    select owner, key from idempotency_key where owner = $1 and key = $2 and created_at = $3::timestamptz and status is null
    for update skip locked) mine
  where k.owner = mine.owner and k.key = mine.key`

/**
 * Stores the result of the use case in its transaction. After a crash before the response, the use case does not run
 * again.
 * @throws Unavailable when the claim expired and another request has the key, so that only one of the two commits.
 */
export async function recordOutcome(db: Kysely<Tables>, claim: Claim, outcome: unknown): Promise<void> {
  const recorded = await own(db, claim)
    .set({ outcome: JSON.stringify({ value: outcome ?? null }) })
    .executeTakeFirst()
  if (recorded.numUpdatedRows > 0n) return
  // A use case that deletes an account deletes its keys too, so there can be nothing to update.
  const { owner, key } = claim
  const query = db.selectFrom('idempotency_key').select('key').where('owner', '=', owner).where('key', '=', key)
  if (await query.executeTakeFirst()) throw httpErrors.keyStillRunning()
}

/** Stores the first response below 500 for 24 hours. */
export async function recordAnswer(db: Db, claim: Claim, status: number, answer: string | null): Promise<void> {
  await own(db, claim).set({ status, answer }).execute()
}

/**
 * Releases the key after a server error. A retry runs the use case again, or gets the response of what was committed.
 */
export async function release(db: Db, claim: Claim): Promise<void> {
  await own(db, claim).set({ locked_until: sql<Date>`now() - interval '1 second'` }).execute()
}

function own(db: Kysely<Tables>, { owner, key, claimedAt }: Claim) {
  return db
    .updateTable('idempotency_key')
    .where('owner', '=', owner)
    .where('key', '=', key)
    .where('created_at', '=', sql<Date>`${claimedAt}::timestamptz`)
}
