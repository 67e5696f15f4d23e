import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import { flightTenths } from '../../qualification/currencies/hours-in-model.queries.ts'
import { completing } from '../enrollments/enrollment.queries.ts'
import {
  findLedgers,
  type PostedCredit,
  progressOf,
  type RequirementLedger,
  type RequirementProgressRow,
} from '../enrollments/requirement-progress.queries.ts'
import { TOLERATED_TENTHS } from '../records/record-figures.rules.ts'
import type { FactsById, JudgedRow, JudgedScope } from './judged-enrollment.types.ts'
import { byEnrollment, dateOf } from './person-facts.queries.ts'
import type { ExperienceFacts, RequirementFact } from './readiness-facts.types.ts'

/** The lessons left of an enrollment, the records whose times exceed the meters, those without a flight, and the graduation. */
interface CourseRow {
  id: number
  membershipId: number
  lessons: { lessonId: number; requirementId: number; booked: number }[]
  exceeding: number[]
  withoutFlight: number[]
  graduation: { at: string; certificateId: number | null } | null
}

/** Returns the experience of the students by the ledger and the records, by enrollment. */
export async function findExperience(
  db: Db,
  scope: JudgedScope,
  enrollments: readonly JudgedRow[],
): Promise<FactsById<ExperienceFacts>> {
  const [ledgers, courses] = await Promise.all([
    findLedgers(db, scope.organizationId, enrollments),
    findCourses(db, scope, enrollments),
  ])
  return byEnrollment(enrollments, (one): ExperienceFacts | undefined => {
    const course = courses.get(one.id)
    if (!course) return undefined
    const { graduation } = course
    const requirements = requirementsOf(ledgers.get(one.id) ?? [], course, one, scope)
    return { requirements, graduation: graduation && { ...graduation, at: dateOf(graduation.at) ?? scope.now } }
  })
}

/** Returns why a credit counts for nothing; null when it counts. A reversal always counts. */
function weaknessOf(
  { reversesId, source, createdBy, recordId, noted }: PostedCredit,
  { membershipId, exceeding }: CourseRow,
): RequirementFact['weak'] {
  if (reversesId !== null) return null
  if (createdBy === membershipId) return 'self_recorded'
  if (source === 'manual') return 'posted_by_hand'
  if (source !== 'lesson' && recordId === null && !noted) return 'without_proof'
  return recordId !== null && exceeding.includes(recordId) ? 'contradicts_meters' : null
}

/** Returns whether the log at this school holds the flight of a credit. */
function isLogged({ source, recordId }: PostedCredit, { withoutFlight }: CourseRow): boolean {
  return source === 'lesson' && (recordId === null || !withoutFlight.includes(recordId))
}

function requirementsOf(
  ledger: readonly RequirementLedger[],
  course: CourseRow,
  { at }: JudgedRow,
  { zone, now }: JudgedScope,
): RequirementFact[] {
  const isProven = (credit: PostedCredit) => weaknessOf(credit, course) === null
  const proven = byRequirement(progressOf(ledger, { now: at, zone }, isProven).requirements)
  const today = byRequirement(progressOf(ledger, { now, zone }).requirements)
  const entries = new Map(ledger.map((one) => [one.id, one.entries]))
  return progressOf(ledger, { now: at, zone }).requirements.map((atTest): RequirementFact => {
    const { requirementId: id, code, label, source, inHours } = atTest
    const credits = entries.get(id) ?? []
    const reversed = new Set(credits.map(({ reversesId }) => reversesId))
    const standing = credits.filter((credit) => credit.reversesId === null && !reversed.has(credit.id))
    const lessons = course.lessons.filter(({ requirementId }) => requirementId === id)
    return {
      id,
      code,
      label,
      source,
      inHours,
      proven: proven.get(id) ?? atTest,
      atTest,
      today: today.get(id) ?? atTest,
      creditIds: standing
        .filter(isProven)
        .map((credit) => credit.id)
        .sort((a, b) => b - a),
      brought: standing.filter((credit) => !isLogged(credit, course)).reduce((sum, { amount }) => sum + amount, 0),
      weak: standing.map((credit) => weaknessOf(credit, course)).find((weak) => weak !== null) ?? null,
      lessonIds: lessons.map(({ lessonId }) => lessonId),
      booked: lessons.reduce((sum, { booked }) => sum + booked, 0),
    }
  })
}

function byRequirement(rows: readonly RequirementProgressRow[]): Map<number, RequirementProgressRow> {
  return new Map(rows.map((row) => [row.requirementId, row]))
}

/**
 * Returns the lessons left with the requirements that they credit and how many of the student's bookings ahead plan them, the records of flights
 * whose times are longer than the meters say, those without a flight, and the graduation, by enrollment. The records of one booking are added up.
 */
async function findCourses(
  db: Db,
  { organizationId, now }: JudgedScope,
  enrollments: readonly JudgedRow[],
): Promise<Map<number, CourseRow>> {
  const rows = await readRows(
    db,
    sql<CourseRow>`
    select e.id, e.membership_id as "membershipId",
      coalesce((select json_agg(json_build_object('lessonId', l.id, 'requirementId', k.requirement_id,
          'booked', (select count(*) from planned_lesson n
            join reservation r on r.organization_id = n.organization_id and r.id = n.reservation_id
            where n.organization_id = e.organization_id and n.membership_id = e.membership_id and n.lesson_id = l.id
              and r.live and r.starts_at > ${now} and r.ramped_in_at is null))
          order by s.position, s.id, l.position, l.id)
        from syllabus_lesson l
        join syllabus_stage s on s.organization_id = l.organization_id and s.id = l.stage_id
        join syllabus_credit k on k.organization_id = l.organization_id and k.lesson_id = l.id
        where l.organization_id = e.organization_id and l.version_id = e.version_id
          and not exists (select ${completing} and d.lesson_id = l.id)), '[]') as lessons,
      array(select d.id from training_record d
        join (select o.reservation_id, sum(coalesce(o.flight_tenths, 0)) as flown from training_record o
          where o.organization_id = e.organization_id and o.enrollment_id = e.id and o.amended_at is null
            and o.reservation_id is not null group by o.reservation_id) o on o.reservation_id = d.reservation_id
        join reservation r on r.organization_id = d.organization_id and r.id = d.reservation_id
          and r.type not in ('ground', 'sim') and r.hobbs_in is not null and r.hobbs_out is not null
        where d.organization_id = e.organization_id and d.enrollment_id = e.id and d.amended_at is null
          and o.flown - ${flightTenths} > ${TOLERATED_TENTHS}) as exceeding,
      array(select d.id from training_record d where d.organization_id = e.organization_id and d.enrollment_id = e.id
          and d.reservation_id is null) as "withoutFlight",
      case when e.status = 'graduated' then json_build_object('at', e.ended_at, 'certificateId', (
        select x.id from training_certificate x where x.organization_id = e.organization_id and x.enrollment_id = e.id
          and x.kind = 'graduation')) end as graduation
    from enrollment e
    join syllabus_version v on v.organization_id = e.organization_id and v.id = e.version_id
    where e.organization_id = ${organizationId} and e.id = any(${enrollments.map(({ id }) => id)}::int[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
