import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { ConcernedPerson } from './bulk.access.ts'
import type { BulkDetail } from './bulk.types.ts'

/** A booking that a bulk changed, for its digest. */
export interface DigestRow extends BulkDetail {
  id: number
}

/** Returns the bookings of one person that a bulk changed, in the order of the bulk's rows. */
export async function findDigest(
  db: Db,
  { organizationId, operationId }: { organizationId: number; operationId: number },
  { orgUserId, guestId }: ConcernedPerson,
): Promise<DigestRow[]> {
  const people = orgUserId === null ? { guestIds: [guestId] } : { orgUserIds: [orgUserId] }
  const { rows } = await sql<{ id: number; detail: BulkDetail }>`
    select r.subject_id as id, r.detail from operation_row r
    where r.organization_id = ${organizationId} and r.operation_id = ${operationId} and r.outcome = 'done'
      and r.detail @> ${JSON.stringify(people)}::jsonb
    order by r.number`.execute(db)
  return rows.map(({ id, detail }) => ({ id, ...detail }))
}

/** The facts of a bulk for the notification of admins. */
export interface BulkSummary {
  id: number
  by: string
  cancelled: boolean
  silent: boolean
  bookings: number
}

/** Returns the facts of a bulk for the notification of admins; null when there is no such bulk. */
export async function findBulkSummary(db: Db, organizationId: number, id: number): Promise<BulkSummary | null> {
  const row = await db
    .selectFrom('operation as o')
    .innerJoin('membership as m', 'm.id', 'o.started_by')
    .select(['o.id', 'm.search_name as by', 'o.succeeded as bookings'])
    .select(sql<boolean>`o.input -> 'action' ? 'cancel'`.as('cancelled'))
    .select(sql<boolean>`not (o.input -> 'notify')::boolean`.as('silent'))
    .where('o.organization_id', '=', organizationId)
    .where('o.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}
