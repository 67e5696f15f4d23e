import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import { type UnprovenReason, unprovenReason } from '../../qualification/endorsement-proof.queries.ts'
import { CURRENT_EDITION, templatesOf } from '../endorsements/endorsement-templates.ts'
import { completing } from '../enrollments/enrollment.queries.ts'
import type { FactsById, JudgedRow, JudgedScope } from './judged-enrollment.types.ts'
import { byEnrollment } from './person-facts.queries.ts'
import type { EndorsementFact, RecordFacts, TestFact } from './readiness-facts.types.ts'

interface EndorsementRow extends Omit<EndorsementFact, 'weak' | 'ofOtherCourse' | 'code'> {
  membershipId: number
  enrollmentId: number | null
  code: string | null
  edition: string | null
  superseded: boolean
  signed: boolean
  reason: UnprovenReason | null
}

/** The codes of the current edition by those of the edition before. */
const renumbered = new Map(
  templatesOf(CURRENT_EDITION).flatMap((one) =>
    one.previousCode === null ? [] : [[one.previousCode, one.code] as const],
  ),
)

/** Returns the endorsements of the students under either edition of the circular, the latest first, by enrollment. */
export async function findEndorsementFacts(
  db: Db,
  { organizationId, now }: JudgedScope,
  enrollments: readonly JudgedRow[],
): Promise<FactsById<EndorsementFact[]>> {
  const rows = await readRows(
    db,
    sql<EndorsementRow>`
    select e.membership_id as "membershipId", e.enrollment_id as "enrollmentId", e.id, e.template_code as code,
      e.template_edition as edition, e.signed_at as "signedAt", e.training_at as "trainingAt", e.expires_at as "expiresAt",
      e.superseded_at is not null as superseded, coalesce(e.signed_by::text, e.signer_name) is not null as signed,
      ${unprovenReason('e')} as reason, e.parameters ->> 'makeAndModel' as "makeAndModel",
      e.parameters ->> 'airport' as airport, e.parameters ->> 'otherAirport' as "otherAirport", e.parameters ->> 'date' as "flightOn"
    from endorsement e
    where e.organization_id = ${organizationId} and e.signed_at <= ${now} and e.template_code is not null
      and e.membership_id = any(${enrollments.map(({ membershipId }) => membershipId)}::int[])
    order by e.signed_at desc, e.id desc`,
  )
  const byMember = Map.groupBy(rows, ({ membershipId }) => membershipId)
  return byEnrollment(enrollments, ({ id, membershipId }) =>
    (byMember.get(membershipId) ?? []).flatMap((row) => endorsementOf(row, id)),
  )
}

function endorsementOf(row: EndorsementRow, enrollment: number): EndorsementFact[] {
  const { membershipId: _, enrollmentId, code: written, edition, superseded, signed, reason, ...fact } = row
  const code = edition === CURRENT_EDITION ? written : edition === null ? null : renumbered.get(written ?? '')
  if (!code) return []
  const unproven = reason === 'disowned' ? 'disowned' : reason !== null || !signed ? 'unproven' : null
  const ofOtherCourse = enrollmentId !== null && enrollmentId !== enrollment
  return [{ ...fact, code, weak: superseded ? 'superseded' : unproven, ofOtherCourse }]
}

interface TestRow extends Omit<TestFact, 'ofCourse'> {
  membershipId: number
  enrollmentId: number | null
  /** The enrollments of the student in courses for the certificate and rating of the test. */
  alike: number[]
}

/** Returns the tests of the students, the latest first, by enrollment. */
export async function findTestFacts(
  db: Db,
  { organizationId, now }: JudgedScope,
  enrollments: readonly JudgedRow[],
): Promise<FactsById<TestFact[]>> {
  const rows = await readRows(
    db,
    sql<TestRow>`
    select t.membership_id as "membershipId", t.enrollment_id as "enrollmentId", t.id, t.kind, t.code, t.taken_at as "takenAt",
      t.result, t.score, t.deficiencies, t.recorded_by = t.membership_id as "selfRecorded",
      array(select o.id from enrollment e
        join training_course c on c.organization_id = e.organization_id and c.id = e.course_id
        join training_course s on s.organization_id = c.organization_id
          and s.certificate_sought = c.certificate_sought and s.rating_id is not distinct from c.rating_id
        join enrollment o on o.organization_id = s.organization_id and o.course_id = s.id and o.membership_id = e.membership_id
        where e.organization_id = t.organization_id and e.id = t.enrollment_id) as alike
    from training_test t
    where t.organization_id = ${organizationId} and t.taken_at <= ${now}
      and t.membership_id = any(${enrollments.map(({ membershipId }) => membershipId)}::int[])
    order by t.taken_at desc, t.id desc`,
  )
  const byMember = Map.groupBy(rows, ({ membershipId }) => membershipId)
  return byEnrollment(enrollments, ({ id, membershipId }) =>
    (byMember.get(membershipId) ?? []).map(({ membershipId: _, enrollmentId, alike, ...test }) => ({
      ...test,
      ofCourse: enrollmentId === null ? null : enrollmentId === id || alike.includes(id),
    })),
  )
}

interface RecordRow extends Omit<RecordFacts, 'finalTest'> {
  id: number
  finalOwed: boolean
  finalTest: { id: number; passed: boolean } | null
}

/** Returns the state of the training records: signatures, the last stage check, and the end-of-course test, by enrollment. */
export async function findRecordFacts(
  db: Db,
  { organizationId }: JudgedScope,
  enrollments: readonly JudgedRow[],
): Promise<FactsById<RecordFacts>> {
  const records = (wanted: ReturnType<typeof sql>) => sql`array(select d.id from training_record d
    where d.organization_id = e.organization_id and d.enrollment_id = e.id and d.amended_at is null and ${wanted} order by d.id)`
  const rows = await readRows(
    db,
    sql<RecordRow>`
    select e.id, ${records(sql`d.grade is not null and d.signed_at is null`)} as unsigned,
      ${records(sql`d.signed_at is not null and d.countersigned_at is null`)} as uncountersigned,
      (select json_build_object('lessonId', l.id, 'name', l.name,
          'recordId', (select max(d.id) ${completing} and d.lesson_id = l.id and d.signed_at is not null))
        from syllabus_lesson l
        join syllabus_stage s on s.organization_id = l.organization_id and s.id = l.stage_id
        where l.organization_id = e.organization_id and l.version_id = e.version_id and l.is_stage_check
        order by s.position desc, s.id desc, l.position desc, l.id desc limit 1) as "stageCheck",
      v.appendix is not null as "finalOwed",
      (select json_build_object('id', t.id, 'passed', t.result = 'passed') from training_test t
        where t.organization_id = e.organization_id and t.enrollment_id = e.id and t.kind = 'end_of_course'
        order by t.taken_at desc, t.id desc limit 1) as "finalTest"
    from enrollment e
    join syllabus_version v on v.organization_id = e.organization_id and v.id = e.version_id
    where e.organization_id = ${organizationId} and e.id = any(${enrollments.map(({ id }) => id)}::int[])`,
  )
  const byId = new Map(
    rows.map(({ id, finalOwed, finalTest, ...row }) => [
      id,
      {
        ...row,
        finalTest: { owed: finalOwed || finalTest !== null, passedId: finalTest?.passed ? finalTest.id : null },
      },
    ]),
  )
  return byEnrollment(enrollments, ({ id }) => byId.get(id))
}
