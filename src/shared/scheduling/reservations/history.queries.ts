import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/kernel/errors.ts'

/**
 * Returns the audit rows of a booking, oldest first.
 * @throws NotFound when the organization has none with this id.
 */
export async function findHistory(db: Db, organizationId: number, reservationId: number) {
  const reservation = await db
    .selectFrom('reservation')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', reservationId)
    .executeTakeFirst()
  if (!reservation) throw new NotFound('There is no such booking.')
  return db
    .selectFrom('reservation_event as e')
    .leftJoin('membership as m', 'm.id', 'e.membership_id')
    .leftJoin('account as a', 'a.id', 'm.account_id')
    .select(['e.id', 'e.action', 'e.created_at', 'e.reason', 'e.before', 'e.after', 'e.membership_id', 'a.name'])
    .where('e.organization_id', '=', organizationId)
    .where('e.reservation_id', '=', reservationId)
    .orderBy('e.id')
    .execute()
}

export type HistoryRow = Awaited<ReturnType<typeof findHistory>>[number]
