import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import type { AttemptOf } from './webhook.queries.ts'
import { countRunning } from './webhook-delivery.access.ts'

/** The most concurrent requests to one host, and the most per minute, from all organizations together. */
const MOST_AT_ONCE = 10
const MOST_A_MINUTE = 600
/** The most requests per hour to a URL that has never answered 2xx. */
const MOST_UNANSWERED_AN_HOUR = 60
/** A request counts as running for at most this many seconds. */
const RUNNING_SECONDS = 60
/** How long an attempt waits when its host has reached `MOST_AT_ONCE`, in milliseconds. */
const HOST_BUSY_MS = 1_000

/**
 * Counts an attempt against the limits of its host and of its URL, by the database's clock. Returns null when the
 * attempt may run now; otherwise the milliseconds until it may be tried again.
 */
export async function admitAttempt(
  tx: Tx,
  { organizationId, deliveryId }: AttemptOf,
  url: string,
): Promise<number | null> {
  const host = hostKey(url)
  const inMinute = `host ${host}`
  const hostWaitMs = await count(tx, inMinute, { most: MOST_A_MINUTE, seconds: 60 })
  if (hostWaitMs !== null) return hostWaitMs
  if ((await countRunning(tx, host, deliveryId)) >= MOST_AT_ONCE) {
    await uncount(tx, inMinute)
    return HOST_BUSY_MS
  }
  const addressWaitMs = await count(tx, addressKey(url), { most: MOST_UNANSWERED_AN_HOUR, seconds: 3_600 })
  if (addressWaitMs !== null) {
    await uncount(tx, inMinute)
    return addressWaitMs
  }
  await tx.db
    .updateTable('webhook_delivery')
    .set({ host, sending_until: sql<Date>`now() + make_interval(secs => ${RUNNING_SECONDS})` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .execute()
  return null
}

/** Records that a URL has answered 2xx, so that the hourly limit no longer applies to it. */
export async function noteAnswered(tx: Tx, url: string): Promise<void> {
  await sql`update webhook_rate set answered_at = now() where key = ${addressKey(url)} and answered_at is null`.execute(
    tx.db,
  )
}

interface Limit {
  most: number
  seconds: number
}

/**
 * Counts one request, in a new window when the previous window is over. Returns null when the request is within the
 * limit, or when the URL has answered 2xx before. Otherwise returns the milliseconds until the window ends. The row
 * stays locked until the commit.
 */
async function count(tx: Tx, key: string, { most, seconds }: Limit): Promise<number | null> {
  const { rows } = await sql<{ limited: boolean; waitMs: number }>`
    insert into webhook_rate as r (key, counted, resets_at) values (${key}, 1, now() + make_interval(secs => ${seconds}))
    on conflict (key) do update
      set counted = case when r.resets_at <= now() then 1 else least(r.counted + 1, ${most} + 1) end,
          resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
    returning counted > ${most} and answered_at is null as limited,
              (extract(epoch from resets_at - now()) * 1000)::float8 as "waitMs"`.execute(tx.db)
  const [row] = rows
  return row?.limited ? Math.max(0, Math.ceil(row.waitMs)) : null
}

/** Subtracts a request that was counted but is not made now. */
async function uncount(tx: Tx, key: string): Promise<void> {
  await sql`update webhook_rate set counted = counted - 1 where key = ${key}`.execute(tx.db)
}

function hostKey(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || 443}`
}

/** Returns the key of a URL. It contains a hash, because the URL itself may contain a token. */
function addressKey(url: string): string {
  return `address ${createHash('sha256').update(url).digest('base64url')}`
}
