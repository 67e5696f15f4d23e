import { sql } from 'kysely'
import { notify } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** Days overdue at which the payer is reminded. */
const STAGES = [1, 7, 14] as const

/** Reminders per transaction. */
export const REMINDED_AT_ONCE = 200

/**
 * Enqueues one reminder per invoice that is 1, 7 or 14 days overdue, and returns how many. The stage is stored on the
 * invoice in the same transaction, so concurrent or repeated runs do not remind twice; a missed stage is skipped in
 * favour of the later one. An invoice that was reminded by hand waits for the organization's interval.
 */
export async function remindSomeOverdue(tx: Tx): Promise<number> {
  const overdue = (days: number) => sql`i.due_at <= ${tx.now}::timestamptz - ${days} * interval '24 hours'`
  const [first, second, third] = STAGES
  const stage = sql`case when ${overdue(third)} then ${third}::int when ${overdue(second)} then ${second}::int else ${first}::int end`
  const { rows } = await sql<{ id: number; organizationId: number }>`
    update invoice set reminder_stage = due.stage, reminded_at = ${tx.now}
    from (
      select i.id, ${stage} as stage
      from invoice i join organization o on o.id = i.organization_id
      where i.status = 'open' and i.reminder_stage < 14 and ${overdue(first)} and i.reminder_stage < ${stage}
        and (i.reminded_at is null or i.reminded_at <= ${tx.now}::timestamptz
          - make_interval(hours => coalesce((o.settings ->> 'reminderIntervalHours')::int, 24)))
      order by i.due_at
      limit ${REMINDED_AT_ONCE}
      for update of i skip locked) due
    where invoice.id = due.id
    returning invoice.id, invoice.organization_id as "organizationId"`.execute(tx.db)
  for (const { id, organizationId } of rows) {
    notify(tx, { organizationId, kind: 'invoice_reminder', subjectId: id, causedBy: null })
  }
  return rows.length
}
