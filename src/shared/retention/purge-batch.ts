import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import { keptSince } from './retention.rules.ts'

/** How many rows go in one transaction. */
export const PURGED_AT_ONCE = 1_000

/** Which rows of a table were kept long enough; an index finds them. */
const expired = {
  idempotency_key: (now) => sql`created_at < ${keptSince(now, 'idempotencyKey')}`,
  mail_token: (now) => sql`expires_at < ${keptSince(now, 'mailToken')}`,
  sign_in_network: (now) => sql`updated_at < ${keptSince(now, 'signInNetwork')}`,
  invitation: (now) => sql`accepted_at is null and expires_at < ${keptSince(now, 'invitation')}`,
  booking_request: (now) =>
    sql`status = 'awaiting_confirmation' and created_at < ${keptSince(now, 'unconfirmedRequest')}`,
  connection_state: (now) => sql`expires_at < ${keptSince(now, 'connectionState')}`,
  delivery: (now) => sql`created_at < ${keptSince(now, 'delivery')} and (sent_at is not null or claimed_until is null)`,
  outbox: (now) => sql`failed_at < ${keptSince(now, 'failedJob')}`,
  notification: (now) => sql`created_at < ${keptSince(now, 'readNotification')}
    and (read_at is not null or created_at < ${keptSince(now, 'notification')})`,
  processor_event: (now) => sql`created_at < ${keptSince(now, 'processorEvent')}`,
  push_device: () => sql`account_id in (select id from account where deleted_at is not null)`,
} as const satisfies Partial<Record<keyof Tables, (now: Date) => RawBuilder<unknown>>>

export type PurgedTable = keyof typeof expired

/** The tables that lose rows with time. */
export const purgedTables = Object.keys(expired) as PurgedTable[]

/** Deletes rows of a table that were kept long enough, `PURGED_AT_ONCE` at most; what others hold waits. Answers how many. */
export async function purgeBatch(tx: Tx, table: PurgedTable): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${expired[table](tx.now)}
      limit ${PURGED_AT_ONCE} for update skip locked))`.execute(tx.db)
  return Number(numAffectedRows ?? 0)
}
