import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { cents, hundredths, tenths } from '../../../src/shared/platform/kernel/units.ts'
import type { TestApp } from '../../support/app.ts'
import { buildMember, type School } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildTraining, enrol } from '../../support/training.ts'

const test = schoolTest()

interface Outlook {
  deciHoursLeft: number
  pace: { lessonsPerWeek: number[] } | null
  finish: Record<string, string | null>
  cost: { likelyCents: number; highCents: number } | null
  basis: string
  sample: number
}

interface Price {
  cents: number
  taxCents?: number
  creditedCents?: number
  packageCents?: number
}

/** Inserts a flight of the student of 2.0 hours so many days before now, with its invoice. */
async function insertFlight({ core, clock }: TestApp, school: School, daysAgo: number, price: Price): Promise<void> {
  const { db } = core.database
  const { organizationId: organization_id, student, dispatcher } = school
  const starts_at = new Date(clock.now.getTime() - daysAgo * 86_400_000)
  const time = { starts_at, ends_at: new Date(starts_at.getTime() + 7_200_000) }
  const { id: reservation_id } = await db
    .insertInto('reservation')
    .values({
      ...{ organization_id, title: 'Lesson', type: 'solo' as const, time_zone_name: 'UTC', ...time },
      ...{ created_by: dispatcher.orgUserId, ramped_out_at: time.starts_at, ramped_in_at: time.ends_at },
      ...{ hobbs_out: hundredths(1_000), hobbs_in: hundredths(1_200), resource_id: school.plane.id },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const membership_id = student.orgUserId
  const seat = { organization_id, reservation_id, membership_id, side: 'students' as const, position: 0 }
  await db
    .insertInto('seat')
    .values({ ...seat, ...time })
    .execute()
  const { taxCents = 0, creditedCents = 0, packageCents = 0 } = price
  const { id: invoice_id } = await db
    .insertInto('invoice')
    .values({
      ...{ organization_id, reservation_id, membership_id, currency: 'usd', status: 'open' as const },
      ...{ total_cents: cents(price.cents + taxCents - packageCents), tax_cents: cents(taxCents) },
      credited_cents: cents(creditedCents),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const item = {
    organization_id,
    invoice_id,
    description: 'Flight',
    quantity_hundredths: hundredths(200),
    unit: 'hour',
  }
  const lines = [
    { kind: 'aircraft', amount: price.cents },
    ...(packageCents > 0 ? [{ kind: 'package_credit', amount: -packageCents }] : []),
  ]
  await db
    .insertInto('invoice_item')
    .values(
      lines.map(({ kind, amount }, position) => ({
        ...{ ...item, kind: kind as 'aircraft', position, unit: 'hour' as const },
        ...{ unit_price: cents(amount / 2), amount_cents: cents(amount) },
      })),
    )
    .execute()
}

describe('the figures of an outlook (§33.2)', () => {
  test('are those of five others’ weeks and hours, and of the student’s own flights', async ({ api, school }) => {
    const { db } = api.core.database
    const { organizationId: organization_id, instructor, admin, student, dispatcher } = school
    // The lesson is planned with 2.0 hours, and the requirement leaves 1.0.
    const course = await buildTraining(api, school, {
      hours: { minDeciHours: 10 },
      lesson: { minFlightDeciHours: 20 },
    })
    const enrollmentId = await enrol(api, school, course, student)
    const passed = async (enrollment_id: number, lesson_id: number, trained_at: string, flight: number) => {
      await db
        .insertInto('training_record')
        .values({
          ...{
            organization_id,
            enrollment_id,
            version_id: course.versionId,
            lesson_id,
            grade: 'S',
            task_grades: sql`'[]'`,
          },
          ...{ instructor_id: instructor.orgUserId, graded_by: instructor.orgUserId, flight_tenths: tenths(flight) },
          ...{ trained_at: new Date(trained_at), signed_at: new Date(trained_at), signed_by: instructor.orgUserId },
        })
        .execute()
    }
    const read = (who = student) => expectOk<Outlook>(api, who, 'GET', `/training/enrollments/${enrollmentId}/outlook`)
    // Five others: a lesson of 2.5 hours in the week up to today, another in the week before, one more too long ago.
    for (let n = 0; n < 5; n++) {
      if (n === 4) expect(await read()).toMatchObject({ basis: 'none', pace: null, deciHoursLeft: 20 })
      const other = await enrol(api, school, course, await buildMember(api, organization_id, ['student']))
      await passed(other, course.lesson, '2026-11-15T00:00:00Z', 25)
      await passed(other, course.secondLesson, '2026-11-14T23:59:59.999Z', 10)
      await passed(other, course.groundLesson, '2026-09-26T23:59:59.999Z', 0)
    }
    // 3 hours and 30 taxes; 3.60 that a package covers; 4 of which half is credited; one too long ago, one of another person.
    await insertFlight(api, school, 2, { cents: 30_000, taxCents: 3_000 })
    await insertFlight(api, school, 3, { cents: 36_000, packageCents: 36_000 })
    await insertFlight(api, school, 4, { cents: 40_000, creditedCents: 20_000 })
    await insertFlight(api, school, 182, { cents: 99_900 })
    // Ten of 40 weeks have a lesson: quartiles 0, 0 and 0.25. Three lessons take 84 days.
    // 2.0 hours at 25 to 20 are 2.5. 86,000 cents in 6.0 hours are 14,333 an hour; of 10,000, 15,000 and 18,000 the upper quartile is 16,500.
    expect(await read()).toEqual({
      lessonsLeft: 3,
      deciHoursLeft: 25,
      pace: { lessonsPerWeek: [0, 0, 0.25] },
      finish: { earliest: '2027-02-13', likely: null, latest: null },
      cost: { likelyCents: 35_833, highCents: 41_250 },
      basis: 'course',
      sample: 5,
    })
    expect((await read(admin)).cost).toEqual({ likelyCents: 35_833, highCents: 41_250 })
    expect((await read(dispatcher)).cost).toBeNull()
  })
})
