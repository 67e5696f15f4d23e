import { sql } from 'kysely'
import { tenths } from '../../src/shared/platform/kernel/units.ts'
import type { TestApp } from './app.ts'
import type { Member, School } from './builders.ts'
import { buildBooking } from './records.ts'

/** A currency with one member's date on record, inserted directly into the database. */
export interface PlainCurrency {
  holder: Member
  /** November 30, 23:59 UTC by default; null never expires. */
  expiresAt?: Date | null
  warnDays?: number
  /** True: the last notice was of this end. False: of an earlier one. Absent: no notice was sent. */
  told?: boolean
  /** The member who recorded the date; by default the admin. */
  recordedBy?: Member
}

/** Inserts a medical that warns 30 days ahead, and the member's date for it. */
export async function buildCurrency(
  api: TestApp,
  school: School,
  given: PlainCurrency,
): Promise<{ currencyId: number; recordId: number; noticeId: number }> {
  const {
    holder,
    recordedBy = school.admin,
    warnDays = 30,
    told,
    expiresAt = new Date('2026-11-30T23:59:59.999Z'),
  } = given
  const { db } = api.core.database
  const organization_id = school.organizationId
  const rule = await db
    .insertInto('currency')
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
  const member = { organization_id, currency_id: rule.id, membership_id: holder.orgUserId }
  const { id: recordId } = await db
    .insertInto('currency_record')
    .values({
      ...member,
      completed_at: new Date('2024-11-05T12:00:00Z'),
      expires_at: expiresAt,
      recorded_by: recordedBy.orgUserId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (told === undefined || expiresAt === null) return { currencyId: rule.id, recordId, noticeId: 0 }
  const notice = await db
    .insertInto('currency_end_notice')
    .values({
      ...member,
      notified_for: told ? expiresAt : new Date(expiresAt.getTime() - 86_400_000),
      notified_days: 14,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { currencyId: rule.id, recordId, noticeId: notice.id }
}

/** Inserts a solo flight on the school's plane so many days before `NOW`, and its flight log. */
export async function buildLoggedFlight(
  api: TestApp,
  school: School,
  given: { pilot: Member; daysAgo: number } & Partial<Record<LoggedFigure, number>>,
): Promise<number> {
  const { pilot, daysAgo, approaches = 0, ...figures } = given
  const id = await buildBooking(api, school, {
    fromHour: -24 * daysAgo,
    seats: [{ side: 'renters', member: pilot }],
    zone: 'UTC',
  })
  await insertLog(api, school, { reservationId: id, of: pilot, approaches, figures })
  return id
}

/** Inserts a member's flight log. */
export async function insertLog(
  api: TestApp,
  school: School,
  given: { reservationId: number; of: Member; approaches?: number; figures: Partial<typeof noFigures> },
): Promise<void> {
  const { reservationId, of, approaches = 0, figures } = given
  await api.core.database.db
    .insertInto('flight_log')
    .values({
      organization_id: school.organizationId,
      reservation_id: reservationId,
      membership_id: of.orgUserId,
      written_by: of.orgUserId,
      ...noFigures,
      ...figures,
      approaches: sql`${JSON.stringify(approaches > 0 ? [{ kind: 'ILS', count: approaches, airport: null }] : [])}::jsonb`,
    })
    .execute()
}

const noFigures = {
  pic_tenths: tenths(0),
  solo_tenths: tenths(0),
  dual_received_tenths: tenths(0),
  instruction_tenths: tenths(0),
  cross_country_tenths: tenths(0),
  night_tenths: tenths(0),
  simulator_tenths: tenths(0),
  actual_instrument_tenths: tenths(0),
  simulated_instrument_tenths: tenths(0),
  day_takeoffs: 0,
  day_landings: 0,
  day_full_stops: 0,
  night_takeoffs: 0,
  night_landings: 0,
  night_full_stops: 0,
  holds: 0,
}

type LoggedFigure = 'approaches' | 'holds' | 'day_takeoffs' | 'day_landings' | 'night_takeoffs' | 'night_full_stops'
