import { sql } from 'kysely'
import { notifyAbout } from '../../communication/notifications/notify.ts'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { claimBatch } from '../../platform/jobs/claim-batch.ts'

/** The longest reminder window of an organization, in hours. */
const MOST_HOURS = 336

/**
 * Enqueues one reminder per booking that starts within the organization's reminder window. A moved booking gets another
 * reminder, a cancelled booking none. Returns the number of reminders.
 */
export function remindOfBookings(tx: Tx): Promise<number> {
  const { upcomingReminderHours } = readSettings({})
  return claimBatch(tx, {
    table: 'reservation',
    join: sql`join organization o on o.id = r.organization_id`,
    due: sql`r.live and r.reminded_for is null and r.ramped_out_at is null and r.starts_at > ${tx.now}
      and r.starts_at <= ${tx.now}::timestamptz + make_interval(hours => ${MOST_HOURS})
      and r.starts_at <= ${tx.now}::timestamptz
        + make_interval(hours => coalesce((o.settings->>'upcomingReminderHours')::int, ${upcomingReminderHours}))`,
    order: sql`r.starts_at`,
    mark: { reminded_for: sql`r.starts_at` },
    each: notifyAbout(tx, 'reservation_upcoming'),
  })
}
