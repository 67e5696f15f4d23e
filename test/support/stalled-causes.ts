import { sql } from 'kysely'
import { cents } from '../../src/shared/platform/kernel/units.ts'
import { at, book, type Fact, type Quiet, type World } from './stalled-students.ts'

const on = (day: string) => `2026-${day}`

/** Returns the facts of each cause, in the order of the interface, several ways for some. */
export function causesIn(world: World): Record<string, Fact[]> {
  const { api, school, goneId, noInstructorId } = world
  const { db } = api.core.database
  const { organizationId: organization_id } = school
  const instructor = school.instructor.orgUserId
  const record = async (
    { orgUserId, enrollmentId, course }: Quiet,
    lesson_id: number,
    [grade, day, signedOn, countersignedOn]: [grade: string, day: string, signedOn?: string, countersignedOn?: string],
  ) => {
    await db
      .insertInto('training_record')
      .values({
        ...{
          organization_id,
          enrollment_id: enrollmentId,
          version_id: course.versionId,
          lesson_id,
          grade,
          task_grades: sql`'[]'`,
        },
        ...{ instructor_id: instructor, graded_by: instructor, trained_at: at(day) },
        ...(signedOn && { signed_at: at(signedOn), signed_by: instructor }),
        ...(countersignedOn && { countersigned_at: at(countersignedOn), countersigned_by: orgUserId }),
      })
      .execute()
  }
  const medicals = (orgUserId: number) =>
    db.deleteFrom('currency_record').where('membership_id', '=', orgUserId).execute()
  const enrolled = (id: number, set: object) => db.updateTable('enrollment').set(set).where('id', '=', id).execute()
  const endorse = (orgUserId: number, code: string, expires_at: Date) =>
    db
      .insertInto('endorsement')
      .values({
        ...{ organization_id, membership_id: orgUserId, template_code: code, template_edition: 'AC 61-65K' },
        ...{ title: 'Solo flight', rendered_text: 'Ready for solo.', signed_by: instructor },
        ...{ signed_at: at('08-12'), expires_at },
      })
      .execute()

  return {
    medical: [
      {
        solo: true,
        async write({ orgUserId }) {
          await medicals(orgUserId)
          return { cause: 'medical', since: null }
        },
      },
      {
        // Who does not say their age counts as 40: 24 calendar months.
        async write({ orgUserId, enrollmentId }) {
          const examined = { completed_at: new Date('2024-10-10T12:00:00Z') }
          await db.updateTable('currency_record').set(examined).where('membership_id', '=', orgUserId).execute()
          await enrolled(enrollmentId, { planned_test_at: at('12-20') })
          return { cause: 'medical', since: on('11-01') }
        },
      },
    ],
    endorsement_ended: [
      {
        solo: true,
        async write({ orgUserId }) {
          await endorse(orgUserId, 'A.6', at('11-10'))
          await endorse(orgUserId, 'A.7', at('11-08'))
          return { cause: 'endorsement_ended', since: on('11-10') }
        },
      },
    ],
    balance: [
      {
        async write({ orgUserId }) {
          await db
            .insertInto('invoice')
            .values({
              ...{ organization_id, membership_id: orgUserId, total_cents: cents(5_000), currency: 'usd' },
              ...{ status: 'open' as const, due_at: at('11-12') },
            })
            .execute()
          return { cause: 'balance', since: on('11-12') }
        },
      },
      {
        async write({ orgUserId }) {
          // It was below before, was paid up, fell below again, and has been charged since.
          const entries: [day: string, amount: number][] = [
            ['11-02', -10_001],
            ['11-03', 10_001],
            ['11-10', -10_000],
            ['11-13', -1],
            ['11-18', -500],
            ['11-19', 400],
          ]
          let balance = 0
          for (const [day, amount] of entries) {
            balance += amount
            const entry = { organization_id, membership_id: orgUserId, kind: 'adjustment' as const }
            const figures = { amount_cents: cents(amount), balance_cents: cents(balance), created_at: at(day) }
            await db
              .insertInto('ledger_entry')
              .values({ ...entry, ...figures })
              .execute()
          }
          return { cause: 'balance', since: on('11-13') }
        },
      },
    ],
    no_booking: [
      {
        async write({ orgUserId }) {
          await sql`update reservation r set live = false, cancelled_at = ${at('11-01')}, cancellation_category = 'other' from seat s
            where s.reservation_id = r.id and s.membership_id = ${orgUserId} and r.starts_at > ${at('11-21')} and r.live`.execute(
            db,
          )
          await sql`update seat set live = false where membership_id = ${orgUserId} and starts_at > ${at('11-21')}`.execute(
            db,
          )
          return { cause: 'no_booking', since: on('11-06') }
        },
      },
    ],
    cancelled: [
      {
        async write(student) {
          await book(world, student, at('11-10'), { category: 'weather', at: at('11-10') })
          await book(world, student, at('11-16'), { category: 'maintenance', at: at('11-16') })
          await book(world, student, at('11-14'), { category: 'weather', at: at('11-14') })
          return { cause: 'cancelled:weather', since: on('11-10') }
        },
      },
      {
        async write(student) {
          // The one before is not in the fourteen days.
          await book(world, student, at('11-02'), { category: 'weather', at: at('11-02') })
          await book(world, student, at('11-12'), { category: 'maintenance', at: at('11-12') })
          await book(world, student, at('11-09'), { category: 'maintenance', at: at('11-09') })
          return { cause: 'cancelled:maintenance', since: on('11-09') }
        },
      },
    ],
    repeating: [
      {
        async write(student) {
          const { lesson } = student.course
          for (const day of ['11-01', '11-03', '11-05']) await record(student, lesson, ['U', day, day, day])
          return { cause: `repeating:${lesson}`, since: on('11-05') }
        },
      },
    ],
    instructor_gone: [
      {
        async write({ enrollmentId }) {
          await enrolled(enrollmentId, { instructor_id: goneId })
          return { cause: 'instructor_gone', since: on('11-09') }
        },
      },
      {
        async write({ enrollmentId }) {
          await enrolled(enrollmentId, { instructor_id: noInstructorId })
          return { cause: 'instructor_gone', since: null }
        },
      },
    ],
    waiting_for_signature: [
      {
        async write(student) {
          await record(student, student.course.secondLesson, ['U', '11-02'])
          return { cause: 'waiting_for_signature', since: on('11-02') }
        },
      },
      {
        async write(student) {
          await record(student, student.course.secondLesson, ['U', '11-02', '11-04'])
          return { cause: 'waiting_for_signature', since: on('11-04') }
        },
      },
    ],
    waiting_for_test: [
      {
        async write(student) {
          const { lesson, secondLesson, groundLesson } = student.course
          for (const one of [lesson, secondLesson, groundLesson])
            await record(student, one, ['S', '11-04', '11-04', '11-04'])
          return { cause: 'waiting_for_test', since: on('11-04') }
        },
      },
    ],
    silence: [
      {
        // Each is one fact short of a cause.
        async write(student) {
          await book(world, student, at('11-12'), { category: 'weather', at: at('11-12') })
          for (const day of ['11-01', '11-03']) await record(student, student.course.lesson, ['U', day, day, day])
          await record(student, student.course.secondLesson, ['U', '11-19'])
          return { cause: 'silence', since: on('10-31') }
        },
      },
    ],
  }
}
