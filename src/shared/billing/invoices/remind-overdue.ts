import { sql } from 'kysely'
import { notifyAbout } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { claimBatch } from '../../platform/jobs/claim-batch.ts'
import { MOST_REMINDERS } from './remind-payer.ts'

/** Days overdue at which the payer is reminded. */
const STAGES = [1, 7, 14] as const

/**
 * Enqueues one reminder per invoice that is 1, 7 or 14 days overdue, and returns how many. The stage is stored on the invoice; of
 * several missed stages only the latest is sent. After any reminder, the organization's reminder interval must pass before the next
 * one. An invoice gets at most 10 reminders, manual ones included.
 */
export function remindSomeOverdue(tx: Tx): Promise<number> {
  const overdue = (days: number) => sql`r.due_at <= ${tx.now}::timestamptz - ${days} * interval '24 hours'`
  const [first, second, third] = STAGES
  const stage = sql`case when ${overdue(third)} then ${third}::int when ${overdue(second)} then ${second}::int else ${first}::int end`
  return claimBatch(tx, {
    table: 'invoice',
    join: sql`join organization o on o.id = r.organization_id`,
    due: sql`r.status = 'open' and r.reminder_stage < 14 and r.reminders < ${MOST_REMINDERS} and ${overdue(first)} and r.reminder_stage < ${stage}
      and (r.reminded_at is null or r.reminded_at <= ${tx.now}::timestamptz
        - make_interval(hours => coalesce((o.settings ->> 'reminderIntervalHours')::int, 24)))`,
    order: sql`r.due_at`,
    mark: { reminder_stage: stage, reminded_at: sql`${tx.now}`, reminders: sql`r.reminders + 1` },
    each: notifyAbout(tx, 'invoice_reminder'),
  })
}
