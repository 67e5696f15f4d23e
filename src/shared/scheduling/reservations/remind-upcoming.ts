import { sql } from 'kysely'
import { notify } from '../../communication/notifications/notify.ts'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** How many reminders one transaction enqueues. */
const BATCH = 500
/** The longest reminder window of an organization, in hours. */
const MOST_HOURS = 336

/**
 * Enqueues one reminder per booking that starts within the organization's reminder window: a moved booking gets
 * another, a cancelled one none. Safe to run in several workers at once. Returns whether there may be more.
 */
export async function remindOfBookings(tx: Tx): Promise<boolean> {
  const { upcomingReminderHours } = readSettings({})
  const { rows } = await sql<{ id: number; organizationId: number }>`
    update reservation set reminded_for = starts_at
    where id in (
      select r.id from reservation r
      join organization o on o.id = r.organization_id
      where r.live and r.reminded_for is null and r.ramped_out_at is null and r.starts_at > ${tx.now}
        and r.starts_at <= ${tx.now}::timestamptz + make_interval(hours => ${MOST_HOURS})
        and r.starts_at <= ${tx.now}::timestamptz
          + make_interval(hours => coalesce((o.settings->>'upcomingReminderHours')::int, ${upcomingReminderHours}))
      order by r.starts_at
      limit ${BATCH}
      for update of r skip locked)
    returning id, organization_id as "organizationId"`.execute(tx.db)
  for (const { id, organizationId } of rows) {
    notify(tx, { organizationId, kind: 'reservation_upcoming', subjectId: id, causedBy: null })
  }
  return rows.length === BATCH
}
