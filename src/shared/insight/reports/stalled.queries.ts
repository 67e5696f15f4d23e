import { sql } from 'kysely'
import { overdueAt } from '../../billing/invoices/invoice-filter.queries.ts'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import { payerOfMember } from '../../identity/members/payer.queries.ts'
import { isOwnStudent } from '../../identity/profiles/profile.queries.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins, deskStaff, staff } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { oneOf, readRows } from '../../platform/db/read-rows.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { daysBetween, localDate } from '../../platform/kernel/zones.ts'
import { settingsOf } from '../../scheduling/rules/rule-catalogue.rules.ts'
import { quietBefore, quietSince } from '../../training/enrollments/stalled.queries.ts'
import { bookingsOf, nextBooking, nextLesson } from '../../training/enrollments/students.queries.ts'
import { type Signer, type Stall, type StalledFacts, stallOf, toldStall } from './stalled.rules.ts'
import { findStalledPapers } from './stalled-papers.queries.ts'

/** A row of the report on stalled students. */
export interface StalledRow extends Stall {
  enrollment: {
    id: number
    student: PersonRow
    course: { id: number; name: string }
    instructorOrgUserId: number | null
  }
  days: number
}

/** After how many days without a completed lesson a student is stalled, and whose students are wanted; undefined: the reader's. */
export interface StalledFilter {
  days: number
  instructorOrgUserIds: readonly number[] | undefined
  now: Date
}

/** A record waits this long before it is a cause. */
const SIGNED_WITHIN_DAYS = 3

interface FactsRow {
  id: number
  versionId: number
  student: PersonRow
  course: { id: number; name: string }
  instructorOrgUserId: number | null
  tellsPapers: boolean
  quietSince: Date
  nextLesson: { isSolo: boolean } | null
  plannedTestAt: Date | null
  medicalCurrencyId: number | null
  overdueInvoice: { id: number; dueAt: string; isOwn: boolean } | null
  payerId: number
  /** Of the payer; since when it is below the least balance only of the student's own. */
  ledger: { cents: Cents; shortAt: string | null }
  booked: number | null
  lastBookedAt: Date | null
  cancelled: { category: string; at: string }[]
  repeating: { lessonId: number; records: number; at: string } | null
  instructorGone: boolean
  instructorLeftAt: Date | null
  unsigned: { recordId: number; at: string; by: Signer } | null
}

/**
 * Returns the open enrollments without a completed lesson for some days that the reader may see, the longest first, each with its first
 * cause as this reader is told it. A whole school takes four queries. Implements interface §33.1 and S115.
 */
export async function findStalled(db: Db, reader: Actor, filter: StalledFilter): Promise<StalledRow[]> {
  const { timeZoneName: zone, settings } = reader.organization
  const { now } = filter
  const blocks = settingsOf('minimum_balance', settings.rules).enforcement === 'block'
  const least = blocks ? settings.minimumBalanceCents : null
  const rows = await readFacts(db, reader, { ...filter, least })
  const scope = { organizationId: reader.organizationId, zone, now }
  const judged = rows.map(({ id, versionId, student }) => ({ id, versionId, membershipId: student.orgUserId }))
  const papers = rows.length === 0 ? new Map() : await findStalledPapers(db, scope, judged)
  return rows.map((row) => {
    const { id, student, course, instructorOrgUserId, quietSince: since, tellsPapers } = row
    const facts = { ...factsOf(row, least, zone, now), ...papers.get(id) }
    const isSelf = student.orgUserId === reader.orgUserId
    const isAdmin = is(reader, admins)
    const isOwnMoney = isSelf && row.overdueInvoice?.isOwn !== false
    const told = { papers: isSelf || isAdmin || tellsPapers, money: isOwnMoney || isAdmin }
    return {
      enrollment: { id, student, course, instructorOrgUserId },
      days: daysBetween(since, now, zone),
      ...toldStall(stallOf(facts, { now, zone }), told, id),
    }
  })
}

function factsOf(row: FactsRow, least: Cents | null, zone: string, now: Date): StalledFacts {
  const { overdueInvoice, ledger, repeating, unsigned } = row
  const isShort = least !== null && ledger.cents < least
  return {
    enrollmentId: row.id,
    orgUserId: row.student.orgUserId,
    payerId: row.payerId,
    lastOn: localDate(row.quietSince, zone),
    nextLesson: row.nextLesson,
    testPlanned: row.plannedTestAt !== null && row.plannedTestAt > now,
    medicalUntil: null,
    soloUntil: null,
    medicalCurrencyId: row.medicalCurrencyId,
    overdueInvoice: overdueInvoice && { id: overdueInvoice.id, dueAt: new Date(overdueInvoice.dueAt) },
    short: isShort ? { at: ledger.shortAt === null ? null : new Date(ledger.shortAt) } : null,
    booked: row.booked !== null,
    lastBookedAt: row.lastBookedAt,
    cancelled: row.cancelled.map(({ category, at }) => ({ category, at: new Date(at) })),
    repeating: repeating && { ...repeating, at: new Date(repeating.at) },
    instructorGone: row.instructorGone ? { at: row.instructorLeftAt } : null,
    unsigned: unsigned && { ...unsigned, at: new Date(unsigned.at) },
  }
}

/**
 * Returns the SQL condition of the enrollments `e` that the reader may see: for instructors their students and those of the courses whose chief
 * they are, all for the desk, and one's own.
 */
function readable(reader: Actor, asked: readonly number[] | undefined) {
  const { orgUserId } = reader
  const own = sql`e.membership_id = ${orgUserId}`
  if (!is(reader, staff)) return asked ? sql`${own} and ${oneOf(sql`e.instructor_id`, asked)}` : own
  if (asked) return oneOf(sql`e.instructor_id`, asked)
  if (is(reader, deskStaff)) return sql`true`
  const ofOwnCourse = sql`e.course_id = any(array(select c.id from training_course c
    where c.organization_id = e.organization_id and c.chief_instructor_id = ${orgUserId}))`
  return sql`(e.instructor_id = ${orgUserId} or ${ofOwnCourse} or ${own})`
}

function readFacts(
  db: Db,
  reader: Actor,
  { days, instructorOrgUserIds, now, least }: StalledFilter & { least: Cents | null },
): Promise<FactsRow[]> {
  const { organizationId, orgUserId, organization } = reader
  const zone = organization.timeZoneName
  const chief = is(reader, ['instructor']) ? orgUserId : null
  const ofStudent = sql`from seat s join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
    where s.organization_id = e.organization_id and s.membership_id = e.membership_id and s.side = 'students'`
  const isPassing = sql`exists (select from jsonb_array_elements(v.grading_scale) g
    where g ->> 'code' = d.grade and (g ->> 'passing')::boolean)`
  return readRows(
    db,
    sql<FactsRow>`
    select e.id, e.version_id as "versionId", ${personJson('e.membership_id')} as student,
      json_build_object('id', c.id, 'name', c.name) as course, e.instructor_id as "instructorOrgUserId",
      coalesce(c.chief_instructor_id = ${chief}::int, false) or ${isOwnStudent(reader, now)} as "tellsPapers",
      e.quiet_since as "quietSince", e.planned_test_at as "plannedTestAt",
      ${nextLesson(sql`json_build_object('isSolo', exists (select from syllabus_credit k
        where k.organization_id = l.organization_id and k.lesson_id = l.id and k.clock = 'solo'))`)} as "nextLesson",
      (select min(y.id) from currency y where y.organization_id = e.organization_id and y.kind = 'medical') as "medicalCurrencyId",
      (select json_build_object('id', i.id, 'dueAt', i.due_at, 'isOwn', i.membership_id = e.membership_id) from invoice i
        where i.organization_id = e.organization_id and e.membership_id in (i.membership_id, i.billed_for_id) and ${overdueAt(now)}
        order by i.membership_id <> e.membership_id, i.due_at, i.id limit 1) as "overdueInvoice",
      ${payerOfMember} as "payerId",
      (select json_build_object('cents', coalesce(sum(w.amount_cents), 0), 'shortAt', min(w.created_at)
          filter (where w.membership_id = e.membership_id and w.place > coalesce(w.enough, case when ${least}::int <= 0 then 0 end)))
        from (select b.*, max(b.place) filter (where b.balance >= ${least}::int) over () as enough
          from (select w.membership_id, w.amount_cents, w.created_at, sum(w.amount_cents) over entries as balance,
              row_number() over entries as place from ledger_entry w
            where w.organization_id = e.organization_id and w.membership_id = ${payerOfMember}
            window entries as (order by w.created_at, w.id)) b) w) as ledger,
      ${nextBooking(now, sql`r.id`)} as booked,
      (select max(p.ends_at) from ${bookingsOf} and p.starts_at <= ${now}) as "lastBookedAt",
      (select coalesce(json_agg(json_build_object('category', r.cancellation_category, 'at', r.cancelled_at)
          order by r.cancelled_at desc, r.id desc), '[]')
        ${ofStudent} and r.cancelled_at >= ${quietBefore(now, zone, days + 1)} and r.cancellation_category is not null) as cancelled,
      (select json_build_object('lessonId', t.lesson_id, 'records', t.records, 'at', t.third) from (
          select d.lesson_id, count(*)::int as records, bool_or(${isPassing}) as passed,
            (array_agg(d.trained_at order by d.trained_at, d.id))[3] as third
          from training_record d
          where d.organization_id = e.organization_id and d.enrollment_id = e.id and d.amended_at is null and d.grade is not null
          group by d.lesson_id) t
        where t.records >= 3 and not t.passed order by t.third desc, t.lesson_id limit 1) as repeating,
      i.id is not null and (i.removed_at is not null or not i.instructor) as "instructorGone", i.removed_at as "instructorLeftAt",
      (select json_build_object('recordId', u.id, 'at', u.at, 'by', u.by) from (
          select d.id, coalesce(d.signed_at, d.trained_at) as at,
            case when d.signed_at is null then 'instructor' when m.account_id is null then 'nobody' else 'student' end as by
          from training_record d
          where d.organization_id = e.organization_id and d.enrollment_id = e.id and d.amended_at is null
            and d.grade is not null and (d.signed_at is null or d.countersigned_at is null)) u
        where u.at < ${now}::timestamptz - make_interval(days => ${SIGNED_WITHIN_DAYS}) order by u.by = 'nobody', u.at, u.id limit 1) as unsigned
    from (select e.*, ${quietSince} as quiet_since from enrollment e
      join syllabus_version v on v.organization_id = e.organization_id and v.id = e.version_id
      where e.organization_id = ${organizationId} and e.status = 'enrolled' and ${readable(reader, instructorOrgUserIds)}) e
    join membership m on m.organization_id = e.organization_id and m.id = e.membership_id and m.removed_at is null
    join training_course c on c.organization_id = e.organization_id and c.id = e.course_id
    join syllabus_version v on v.organization_id = e.organization_id and v.id = e.version_id
    left join membership i on i.organization_id = e.organization_id and i.id = e.instructor_id
    where e.quiet_since < ${quietBefore(now, zone, days)}
    order by e.quiet_since, e.id`,
  )
}
