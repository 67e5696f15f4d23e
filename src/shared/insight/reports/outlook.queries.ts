import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import { type Tenths, tenths, ZERO } from '../../platform/kernel/units.ts'
import { addDays, localDate, wallToInstant } from '../../platform/kernel/zones.ts'
import { completing, type EnrollmentRow } from '../../training/enrollments/enrollment.queries.ts'
import { findLedgers, progressOf } from '../../training/enrollments/requirement-progress.queries.ts'
import { judgedAt } from '../../training/enrollments/requirement-progress.rules.ts'
import { type OutlookFacts, PACE_WEEKS, PRICED_DAYS, type PricedFlight } from './outlook.rules.ts'

interface Scope {
  organizationId: number
  zone: string
  now: Date
}

interface StudentRow {
  orgUserId: number
  weeks: number[]
  flown: Tenths
  planned: Tenths
}

/**
 * Returns what is known of an enrollment and of the other students of its course, in four queries. With `prices`, also what their flights
 * cost.
 */
export async function findOutlookFacts(
  db: Db,
  scope: Scope,
  enrollment: EnrollmentRow,
  { prices }: { prices: boolean },
): Promise<OutlookFacts> {
  const { student, status, lessons, completed } = enrollment
  const [plannedLeft, requirementLeft, students, flights] = await Promise.all([
    findPlannedLeft(db, scope, enrollment),
    findRequirementLeft(db, scope, enrollment),
    findStudents(db, scope, enrollment.course.id),
    prices ? findFlights(db, scope, enrollment) : [],
  ])
  const isOwn = ({ orgUserId }: { orgUserId: number }) => orgUserId === student.orgUserId
  const others = students.filter((one) => !isOwn(one))
  const planned = others.filter((one) => one.planned > 0)
  const sumOf = (all: readonly Tenths[]) => tenths(all.reduce((sum, one) => sum + one, 0))
  return {
    today: localDate(scope.now, scope.zone),
    isOpen: status === 'enrolled',
    lessonsLeft: lessons - completed,
    plannedLeft,
    requirementLeft,
    ownWeeks: students.find(isOwn)?.weeks ?? new Array<number>(PACE_WEEKS).fill(0),
    otherWeeks: others.map(({ weeks }) => weeks).filter((weeks) => weeks.some((count) => count > 0)),
    others: {
      flown: sumOf(planned.map((one) => one.flown)),
      planned: sumOf(planned.map((one) => one.planned)),
      students: planned.length,
    },
    ownFlights: flights.filter(isOwn),
    otherFlights: flights.filter((one) => !isOwn(one)),
  }
}

async function findPlannedLeft(db: Db, { organizationId }: Scope, { id }: EnrollmentRow): Promise<Tenths> {
  const [row] = await readRows(
    db,
    sql<{ planned: Tenths }>`
    select coalesce(sum(l.min_flight_tenths), 0)::int as planned
    from enrollment e
    join syllabus_version v on v.organization_id = e.organization_id and v.id = e.version_id
    join syllabus_lesson l on l.organization_id = e.organization_id and l.version_id = e.version_id
    where e.organization_id = ${organizationId} and e.id = ${id}
      and not exists (select ${completing} and d.lesson_id = l.id)`,
  )
  return row?.planned ?? ZERO
}

/** Returns the largest rest of the requirements in hours that a lesson credits from a clock other than `ground`. */
async function findRequirementLeft(db: Db, scope: Scope, enrollment: EnrollmentRow): Promise<Tenths> {
  const { id, version } = enrollment
  const ledgers = await findLedgers(db, scope.organizationId, [{ id, versionId: version.id }])
  const ledger = ledgers.get(id) ?? []
  const flown = new Set(ledger.filter((one) => one.flown).map((one) => one.id))
  const { requirements } = progressOf(ledger, { now: judgedAt(enrollment, scope.now), zone: scope.zone })
  const left = requirements.filter(({ inHours, requirementId }) => inHours && flown.has(requirementId))
  return tenths(Math.max(0, ...left.map(({ remaining }) => remaining)))
}

/** Returns, for each student of a course, the lessons completed in each of the last weeks, and the flown and planned time of all of them. */
function findStudents(db: Db, { organizationId, zone, now }: Scope, courseId: number): Promise<StudentRow[]> {
  const startOf = (days: number) => wallToInstant(addDays(localDate(now, zone), days), 0, zone)
  const weeks = Array.from(
    { length: PACE_WEEKS },
    (_, week) =>
      sql`count(*) filter (where t.first_at >= ${startOf(-7 * week - 6)} and t.first_at < ${startOf(1 - 7 * week)})`,
  )
  return readRows(
    db,
    sql<StudentRow>`
    with passed as materialized (
      select e.id, e.membership_id, d.lesson_id, min(d.trained_at) as first_at
      from enrollment e
      join syllabus_version v on v.organization_id = e.organization_id and v.id = e.version_id
      join training_record d on d.organization_id = e.organization_id and d.enrollment_id = e.id
        and d.amended_at is null and d.signed_at is not null and d.trained_at <= ${now}
      where e.organization_id = ${organizationId} and e.course_id = ${courseId}
        and exists (select from jsonb_array_elements(v.grading_scale) g
          where g ->> 'code' = d.grade and (g ->> 'passing')::boolean)
      group by e.id, e.membership_id, d.lesson_id)
    select t.membership_id as "orgUserId", json_build_array(${sql.join(weeks)}) as weeks,
      coalesce(sum(f.tenths) filter (where l.min_flight_tenths > 0), 0)::int as flown,
      coalesce(sum(l.min_flight_tenths), 0)::int as planned
    from passed t
    join syllabus_lesson l on l.organization_id = ${organizationId} and l.id = t.lesson_id
    cross join lateral (select sum(coalesce(d.flight_tenths, 0) + coalesce(d.simulator_tenths, 0)) as tenths
      from training_record d
      where d.organization_id = ${organizationId} and d.enrollment_id = t.id and d.lesson_id = t.lesson_id
        and d.amended_at is null and d.signed_at is not null) f
    group by t.membership_id
    order by t.membership_id`,
  )
}

/**
 * Returns the flights of the students of a course in the last days that were invoiced to them or their payer. A credit reduces all lines in
 * proportion; what a package covers is charged at its use.
 */
function findFlights(db: Db, { organizationId, zone, now }: Scope, { course }: EnrollmentRow): Promise<PricedFlight[]> {
  const since = wallToInstant(addDays(localDate(now, zone), -PRICED_DAYS), 0, zone)
  return readRows(
    db,
    sql<PricedFlight>`
    select f.membership_id as "orgUserId", f.hundredths, sum(greatest(0, case when i.total_cents > 0
        then round(b.cents::numeric * (i.total_cents - i.credited_cents) / i.total_cents) else b.cents end))::int as cents
    from (select r.id, s.membership_id, coalesce(r.hobbs_in - r.hobbs_out, r.tach_in - r.tach_out) as hundredths
      from reservation r
      join seat s on s.organization_id = r.organization_id and s.reservation_id = r.id and s.side = 'students'
      where r.organization_id = ${organizationId} and r.live and r.ramped_in_at >= ${since} and r.ramped_in_at <= ${now}
        and s.membership_id = any(array(select e.membership_id from enrollment e
          where e.organization_id = ${organizationId} and e.course_id = ${course.id}))) f
    join invoice i on i.organization_id = ${organizationId} and i.reservation_id = f.id and i.status in ('open', 'paid')
      and coalesce(i.billed_for_id, i.membership_id) = f.membership_id
    cross join lateral (select coalesce(sum(t.amount_cents), 0) as cents from invoice_item t
      where t.organization_id = ${organizationId} and t.invoice_id = i.id and t.kind not in ('package_credit', 'package')) b
    where f.hundredths > 0
    group by f.id, f.membership_id, f.hundredths
    order by f.id, f.membership_id`,
  )
}
