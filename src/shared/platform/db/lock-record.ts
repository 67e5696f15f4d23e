import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The tables of records that several people edit. */
export type EditedTable =
  | 'announcement'
  | 'currency'
  | 'invoice'
  | 'location'
  | 'maintenance_item'
  | 'member_group'
  | 'membership'
  | 'offering'
  | 'package'
  | 'report_view'
  | 'reservation'
  | 'resource'
  | 'squawk'
  | 'training_course'
  | 'training_test'
  | 'waitlist_entry'
  | 'webhook_endpoint'

/** Locks a record of the organization until the transaction ends; does nothing when there is none. */
export async function lockRecord(db: Db, table: EditedTable, organizationId: number, id: number): Promise<void> {
  await sql`select 1 from ${sql.table(table)} where organization_id = ${organizationId} and id = ${id} for update`.execute(
    db,
  )
}
