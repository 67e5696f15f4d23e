import { sql } from 'kysely'
import type { TestApp } from './app.ts'
import type { Member, School } from './builders.ts'

/** A currency with the date on record of one member, as tests put it straight into the database. */
export interface PlainCurrency {
  holder: Member
  /** November 30, 23:59 UTC, unless it is to be another; null never expires. */
  expiresAt?: Date | null
  warnDays?: number
  /** Whether the member was told of this end last, or of an earlier one; of none when left out. */
  told?: boolean
}

/** Inserts a medical that warns 30 days ahead, and the member's date for it. */
export async function buildCurrency(
  api: TestApp,
  school: School,
  given: PlainCurrency,
): Promise<{ currencyId: number; noticeId: number }> {
  const { holder, warnDays = 30, told, expiresAt = new Date('2026-11-30T23:59:59.999Z') } = given
  const { db } = api.core.database
  const organization_id = school.organizationId
  const rule = await db
    .insertInto('currency_rule')
    .values({
      organization_id,
      name: 'Medical',
      kind: 'expiring',
      roles: sql`'[]'`,
      reservation_types: sql`'[]'`,
      resource_ids: sql`'[]'`,
      overridable_by: sql`'["owner", "admin"]'`,
      warn_days: warnDays,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const member = { organization_id, currency_rule_id: rule.id, membership_id: holder.orgUserId }
  await db
    .insertInto('currency_record')
    .values({
      ...member,
      completed_at: new Date('2024-11-05T12:00:00Z'),
      expires_at: expiresAt,
      recorded_by: school.admin.orgUserId,
    })
    .execute()
  if (told === undefined || expiresAt === null) return { currencyId: rule.id, noticeId: 0 }
  const notice = await db
    .insertInto('currency_notice')
    .values({ ...member, told_for: told ? expiresAt : new Date(expiresAt.getTime() - 86_400_000), told_days: 14 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { currencyId: rule.id, noticeId: notice.id }
}
