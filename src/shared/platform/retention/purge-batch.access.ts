import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import { keptSince } from './retention.rules.ts'

/** The most rows that one transaction deletes. */
export const PURGED_AT_ONCE = 1_000

/** The condition of the expired rows of each table. An index finds them. */
const expired = {
  idempotency_key: (now) => sql`created_at < ${keptSince(now, 'idempotencyKey')}`,
  mail_token: (now) => sql`expires_at < ${keptSince(now, 'mailToken')}`,
  sign_in_network: (now) => sql`updated_at < ${keptSince(now, 'signInNetwork')}`,
  invitation: (now) => sql`accepted_at is null and expires_at < ${keptSince(now, 'invitation')}`,
  announcement_mailing: (now) => sql`mailed_at < ${keptSince(now, 'announcementMailing')}`,
  connection_state: (now) => sql`expires_at < ${keptSince(now, 'connectionState')}`,
  delivery: (now) => sql`created_at < ${keptSince(now, 'delivery')} and (sent_at is not null or claimed_until is null)`,
  webhook_event: (now) => sql`created_at < ${keptSince(now, 'webhookEvent')}`,
  webhook_rate: (now) => sql`resets_at < ${keptSince(now, 'webhookRate')}`,
  outbox: (now) => sql`failed_at < ${keptSince(now, 'failedJob')}`,
  notification: (now) => sql`created_at < ${keptSince(now, 'readNotification')}
    and (read_at is not null or created_at < ${keptSince(now, 'notification')})`,
  operation: (now) => sql`created_at < ${keptSince(now, 'operation')}`,
  at_risk_notice: (now) => sql`told_at < ${keptSince(now, 'atRiskNotice')}`,
  mail_count: (now) => sql`created_at < ${keptSince(now, 'mailCount')}`,
  import_file: (now) => sql`created_at < ${keptSince(now, 'importFile')}`,
  import_row: (now) => sql`created_at < ${keptSince(now, 'importFile')}`,
  operation_file: (now) => sql`created_at < ${keptSince(now, 'operationFile')}`,
  member_profile: (now) => sql`kept_until < ${now}`,
  currency_record: (now) => sql`kept_until < ${now}`,
  weather_station: (now) => sql`asked_at < ${keptSince(now, 'weatherStation')}`,
  push_device: () => sql`account_id in (select id from account where deleted_at is not null)`,
} as const satisfies Partial<Record<keyof Tables, (now: Date) => RawBuilder<unknown>>>

/** Tables from which the service's role may not delete: the owner's function that deletes, and the retention period. */
const expiredByOwner = {
  booking_request: { purge: 'purge_unconfirmed_requests', kept: 'unconfirmedRequest' },
  event: { purge: 'purge_events', kept: 'event' },
  processor_event: { purge: 'purge_processor_events', kept: 'gatewayEvent' },
} as const

type PurgedByOwner = keyof typeof expiredByOwner

export type PurgedTable = keyof typeof expired | PurgedByOwner

/** The tables with a retention period. */
export const purgedTables = Object.keys({ ...expired, ...expiredByOwner }) as PurgedTable[]

/** Deletes at most `PURGED_AT_ONCE` expired rows of a table, without those that are locked. Returns how many. */
export async function purgeBatch(tx: Tx, table: PurgedTable): Promise<number> {
  if (isPurgedByOwner(table)) {
    const { purge, kept } = expiredByOwner[table]
    const { rows } = await sql<{ purged: number }>`
      select ${sql.id(purge)}(${keptSince(tx.now, kept)}, ${PURGED_AT_ONCE}) as purged`.execute(tx.db)
    return rows[0]?.purged ?? 0
  }
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${expired[table](tx.now)}
      limit ${PURGED_AT_ONCE} for update skip locked))`.execute(tx.db)
  return Number(numAffectedRows ?? 0)
}

function isPurgedByOwner(table: PurgedTable): table is PurgedByOwner {
  return table in expiredByOwner
}
