import { sql } from 'kysely'
import { hundredths } from '../../src/shared/platform/kernel/units.ts'
import type { TestApp } from './app.ts'
import type { Member, School } from './builders.ts'

/** Inserts a squawk on the school's plane; by default an open observation. */
export async function buildSquawk(
  api: TestApp,
  school: School,
  given: {
    reportedBy: Member
    title?: string
    status?: 'open' | 'deferred'
    severity?: 'observation' | 'grounding'
    deferralEnded?: boolean
  },
): Promise<number> {
  const { reportedBy, title = 'Left brake drags', status = 'open' } = given
  const { severity = 'observation', deferralEnded = false } = given
  const { id } = await api.core.database.db
    .insertInto('squawk')
    .values({
      organization_id: school.organizationId,
      resource_id: school.plane.id,
      title,
      severity,
      status,
      reported_by: reportedBy.orgUserId,
      deferral_ended: deferralEnded,
      excluded_operations: sql`'[]'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Inserts an annual of the school's plane that is due at an instant. */
export async function buildMaintenanceItem(
  api: TestApp,
  school: School,
  given: { dueAt: Date; name?: string; grounding?: boolean },
): Promise<number> {
  const { id } = await api.core.database.db
    .insertInto('maintenance_item')
    .values({
      organization_id: school.organizationId,
      resource_id: school.plane.id,
      name: given.name ?? 'Annual',
      warn_days: 30,
      warn_hundredths: hundredths(1000),
      grounding: given.grounding ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await api.core.database.db
    .insertInto('maintenance_limit')
    .values({
      organization_id: school.organizationId,
      reminder_id: id,
      basis: 'calendar',
      interval_months: 12,
      due_at: given.dueAt,
    })
    .execute()
  return id
}
