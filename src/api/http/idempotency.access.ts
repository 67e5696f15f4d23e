import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Db, Tables } from '../../shared/platform/db/database.ts'
import { httpErrors } from './http.errors.ts'

/** A stored response, or the result of a use case whose response was not stored. */
export type Replay =
  | { kind: 'first' }
  | { kind: 'answered'; status: number; answer: string | null }
  | { kind: 'committed'; outcome: unknown }

/** One POST with an Idempotency-Key. Keys belong to the account, or to the network without one. */
export interface IdempotentRequest {
  owner: string
  key: string
  /** The organization of the request. Its deletion deletes the stored response. */
  organizationId: number | null
  /** The hash of method, URL, organization and raw body. */
  fingerprint: string
}

/** Seconds after which a request without an outcome counts as crashed and its key is free. */
const LOCK_SECONDS = 60
const WAIT_MS = 30_000

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
 * Claims the key, or returns the stored response or outcome of its first request. Of two concurrent requests the second
 * waits for the first.
 * Implements interface §Conventions that hold across the interface.
 * @throws Conflict IDEMPOTENCY_MISMATCH when the key was used for another request.
 * @throws Unavailable when the first request with the key still runs after the waiting time.
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
        locked_until: sql<Date>`now() + make_interval(secs => ${LOCK_SECONDS})`,
      })
      .onConflict((conflict) =>
        // A key is free again after a day, or when its request crashed before it committed.
        conflict
          .columns(['owner', 'key'])
          .doUpdateSet({
            organization_id: request.organizationId,
            fingerprint: request.fingerprint,
            locked_until: sql<Date>`now() + make_interval(secs => ${LOCK_SECONDS})`,
            outcome: null,
            status: null,
            answer: null,
            created_at: sql<Date>`now()`,
          })
          .where(sql<boolean>`idempotency_key.created_at < now() - interval '24 hours'
          or (idempotency_key.status is null and idempotency_key.outcome is null and idempotency_key.locked_until < now())`),
      )
      .returning('key')
      .executeTakeFirst()
    if (inserted) return { kind: 'first' }
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
 * Stores the result of the use case in its transaction, so that the use case does not run again after a crash before
 * the response.
 */
export async function recordOutcome(db: Kysely<Tables>, request: IdempotentRequest, outcome: unknown): Promise<void> {
  await own(db, request)
    .set({ outcome: JSON.stringify({ value: outcome ?? null }) })
    .execute()
}

/** Stores the first response below 500 for 24 hours. */
export async function recordAnswer(
  db: Db,
  request: IdempotentRequest,
  status: number,
  answer: string | null,
): Promise<void> {
  await own(db, request).set({ status, answer }).execute()
}

/** Releases the key after a server error: the client's retry runs again, or gets the response of what was committed. */
export async function release(db: Db, request: IdempotentRequest): Promise<void> {
  await own(db, request).set({ locked_until: sql<Date>`now() - interval '1 second'` }).execute()
}

function own(db: Kysely<Tables>, request: IdempotentRequest) {
  return db.updateTable('idempotency_key').where('owner', '=', request.owner).where('key', '=', request.key)
}
