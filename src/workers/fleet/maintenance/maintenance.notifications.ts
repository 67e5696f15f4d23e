import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type {
  ReminderTemplateData,
  SquawkTemplateData,
} from '../../../shared/communication/notifications/templates/maintenance.rules.ts'
import { dueOf, findReminder } from '../../../shared/fleet/maintenance/reminder.queries.ts'
import { reminderStatus } from '../../../shared/fleet/maintenance/reminder.rules.ts'
import { findSquawk } from '../../../shared/fleet/maintenance/squawk.queries.ts'
import { type NotificationSources, nullIfNotFound } from '../../communication/notifications/define-notification.ts'

/** Loads a squawk that is still open. */
export async function openSquawk(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<SquawkTemplateData | null> {
  const row = await nullIfNotFound(findSquawk(database.db, organizationId, subjectId))
  if (row?.status !== 'open') return null
  return {
    id: row.id,
    resource: { id: row.resource_id, name: row.resource_name },
    title: row.title,
    description: row.description,
    grounding: row.severity === 'grounding',
    reporter: row.reporter_name,
  }
}

/** Loads a maintenance item that is still due soon or overdue. */
export async function dueReminder(
  { database, clock }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<ReminderTemplateData | null> {
  const row = await nullIfNotFound(findReminder(database.db, organizationId, subjectId))
  if (!row) return null
  const meters = { hobbs: row.hobbs_hundredths, tach: row.tach_hundredths }
  const status = reminderStatus(dueOf(row), { now: clock(), meters })
  if (status === 'ok') return null
  return {
    id: row.id,
    resource: { id: row.resource_id, name: row.resource_name },
    name: row.name,
    overdue: status === 'overdue',
    grounding: row.grounding,
    basis: row.basis,
    dueAt: row.due_at,
    dueHundredths: row.due_hundredths,
    zone: row.zone,
  }
}
