import { sql } from 'kysely'
import { notify } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { claimBatch } from '../../platform/jobs/claim-batch.ts'
import { findDigestReaders, findDueDigests, mondays, quietSince } from './stalled.queries.ts'

/**
 * Enqueues the digest of stalled students from Monday 07:00 on in the zone of each organization: one a week to each instructor and
 * chief instructor who has some. Returns the number of enrollments. Implements interface §33.1.
 */
export async function notifyStalled(tx: Tx): Promise<number> {
  const due = await findDueDigests(tx.db, tx.now)
  if (due.length === 0) return 0
  // Two runs at once would not see whom the other tells.
  await sql`select pg_advisory_xact_lock(hashtextextended('stalled digest', 0))`.execute(tx.db)
  const claimed: number[] = []
  const count = await claimBatch(tx, {
    table: 'enrollment',
    join: sql`join organization o on o.id = r.organization_id
      join ${mondays(due)} on g.zone = o.time_zone_name`,
    due: sql`r.status = 'enrolled' and coalesce(r.stalled_notified_at, '-infinity') < g.at and exists (
      select from enrollment e
      join membership m on m.organization_id = e.organization_id and m.id = e.membership_id and m.removed_at is null
      join syllabus_version v on v.organization_id = e.organization_id and v.id = e.version_id
      where e.id = r.id and ${quietSince} < g.before)`,
    order: sql`r.id`,
    mark: { stalled_notified_at: sql`${tx.now}::timestamptz` },
    each: ({ id }) => claimed.push(id),
  })
  if (claimed.length === 0) return 0
  for (const { organizationId, orgUserId } of await findDigestReaders(tx.db, claimed, due)) {
    notify(tx, { organizationId, kind: 'students_stalled', subjectId: orgUserId, causedBy: null })
  }
  return count
}
