import { sql } from 'kysely'
import type { TestApp } from './app.ts'
import type { Member, School } from './builders.ts'

/** A currency with the date on record of one member, as tests put it straight into the database. */
export interface PlainCurrency {
  holder: Member
  /** November 30, 23:59 UTC, unless it is to be another; null never expires. */
  expiresAt?: Date | null
  warnDays?: number
  /** Whether the member was told of this end. */
  told?: boolean
}

/** Inserts a medical that warns 30 days ahead, and the member's date for it. Answers the id of the date on record. */
export async function buildCurrency(api: TestApp, school: School, given: PlainCurrency): Promise<number> {
  const { holder, warnDays = 30, told = false, expiresAt = new Date('2026-11-30T23:59:59.999Z') } = given
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
      warn_days: warnDays,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('currency_record')
    .values({
      organization_id,
      currency_rule_id: rule.id,
      membership_id: holder.orgUserId,
      completed_at: new Date('2024-11-05T12:00:00Z'),
      expires_at: expiresAt,
      expiry_told_for: told ? expiresAt : null,
      recorded_by: school.admin.orgUserId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
