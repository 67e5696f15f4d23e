import { type RawBuilder, sql } from 'kysely'
import type { ImportKindName } from '../imports/find-import-kind.ts'

/** The cells of a row of an import, by column; null for a blank cell. */
export type ImportCells = Record<string, string | number | boolean | null>

/** Selects the rows of an organization for the import of one kind. `now` is the instant of the export. */
type SelectRows = (organizationId: number, now: Date) => RawBuilder<ImportCells>

/**
 * Returns the key by which the files of an export refer to a record: its external id or, without one, a key with its
 * id, such as `member-7`.
 */
const keyOf = (alias: string, kind: string) =>
  sql`coalesce(${sql.ref(`${alias}.external_id`)}, ${sql.lit(`${kind}-`)} || ${sql.ref(`${alias}.id`)})`
const memberKey = keyOf('m', 'member')
const resourceKey = keyOf('x', 'resource')
const locationKey = keyOf('l', 'location')

const instant = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const hours = (column: string) => sql`(${sql.ref(column)} / 100.0)::numeric(9, 2)::text`
const wordsOf = (column: string) =>
  sql`nullif((select string_agg(w, ' ') from jsonb_array_elements_text(${sql.ref(column)}) w), '')`
const join = (table: string, alias: string, on: RawBuilder<unknown>) =>
  sql`join ${sql.table(table)} ${sql.ref(alias)} on ${sql.ref(`${alias}.organization_id`)} = o.id and ${on}`
const member = (column: string) => join('membership', 'm', sql`m.id = ${sql.ref(column)} and m.removed_at is null`)
const from = (table: string, alias: string, organizationId: number) =>
  sql`from organization o ${join(table, alias, sql`o.id = ${organizationId}`)}`

/** The keys of the members on one side of a booking `r`, with semicolons between them. */
const seated = (side: string) => sql`(select string_agg(${memberKey}, ';' order by s.position) from seat s
  join membership m on m.organization_id = s.organization_id and m.id = s.membership_id
  where s.organization_id = r.organization_id and s.reservation_id = r.id and s.side = ${sql.lit(side)})`

/** Credits from lessons and devices are imported as manual credits, because their lessons are not imported. */
const creditSource = sql`case when c.source in ('transfer_61', 'transfer_141') then c.source else 'manual' end`

/** The record `r` holds the end alone of an instructor certificate that stood in the profile. Its day is that of the end. */
const ofProfile = sql`(c.kind = 'instructor_certificate' and r.expires_at is null)`

/** The lessons of a stage `s` with their tasks and credits, with the field names of the interface. */
const lessonsOfStage = sql`coalesce((select json_agg(json_build_object('name', l.name, 'kind', l.kind,
    'objectives', l.objectives, 'completionStandards', l.completion_standards, 'minFlightDeciHours', l.min_flight_tenths,
    'minGroundDeciHours', l.min_ground_tenths, 'requiresSignoff', l.requires_signoff, 'requiresNotes', l.requires_notes,
    'isStageCheck', l.is_stage_check,
    'credits', coalesce((select json_agg(json_build_object('requirementId', c.requirement_id, 'clock', c.clock,
        'count', c.count) order by c.id)
      from syllabus_credit c where c.organization_id = l.organization_id and c.lesson_id = l.id), '[]'),
    'tasks', coalesce((select json_agg(json_build_object('name', t.name, 'acsCode', t.acs_code, 'standard', t.standard)
        order by t.position, t.id)
      from syllabus_task t where t.organization_id = l.organization_id and t.lesson_id = l.id), '[]'))
  order by l.position, l.id)
  from syllabus_lesson l where l.organization_id = s.organization_id and l.stage_id = s.id), '[]')`

/**
 * The query for the file of each kind of import. A contract test compares the names of its columns with the columns of
 * the kind.
 */
export const importFiles: Readonly<Record<ImportKindName, SelectRows>> = {
  locations: (id) => sql`
    select ${locationKey} as "externalId", l.name, l.airport_identifier as "airportIdentifier",
        l.time_zone_name as "timeZoneName", l.address ->> 'line1' as line1, l.address ->> 'city' as city,
        l.address ->> 'state' as state, l.address ->> 'postalCode' as "postalCode", l.address ->> 'country' as country
      ${from('location', 'l', id)} order by l.id`,
  resources: (id) => sql`
    select ${resourceKey} as "externalId", x.name, x.kind, x.tail_number as "tailNumber", x.make, x.model,
        ${locationKey} as location, ${hours('x.hobbs_hundredths')} as "hobbsTime", ${hours('x.tach_hundredths')} as "tachTime",
        x.wet_rate_cents as "wetRateCents", x.dry_rate_cents as "dryRateCents", x.bill_by_hobbs_time as "billByHobbsTime", x.pool
      ${from('resource', 'x', id)} ${join('location', 'l', sql`l.id = x.location_id`)} order by x.id`,
  currencies: (id) => sql`
    select c.name, c.kind, c.enforcement, ${wordsOf('c.roles')} as roles,
        ${wordsOf('c.reservation_types')} as "reservationTypes", c.warn_days as "warnDays", c.flight_count as count,
        c.flight_days as days, c.deci_hours as "deciHours", c.scope_of_hours as scope
      ${from('currency', 'c', id)} order by c.id`,
  members: (id) => sql`
    select ${memberKey} as "externalId", m.search_name as name, nullif(m.search_email, '') as email, m.phone,
        concat_ws(' ', case when m.admin or m.owner then 'admin' end, case when m.dispatcher then 'dispatcher' end,
          case when m.instructor then 'instructor' end, case when m.student then 'student' end,
          case when m.renter then 'renter' end, case when m.technician then 'technician' end) as roles,
        p.facts ->> 'birthDate' as "birthDate", p.facts #>> '{pilotCertificate,grade}' as "certificateGrade",
        p.facts #>> '{pilotCertificate,number}' as "certificateNumber",
        p.facts #>> '{emergencyContact,name}' as "emergencyContactName",
        p.facts #>> '{emergencyContact,phone}' as "emergencyContactPhone", m.tax_exempt as "taxExempt",
        m.flight_pay_cents as "flightPayCents", m.ground_pay_cents as "groundPayCents", m.sim_pay_cents as "simPayCents",
        ${keyOf('b', 'member')} as "billTo"
      ${from('membership', 'm', id)}
      left join membership b on b.organization_id = o.id and b.id = m.bill_to_id
      left join member_profile p on p.organization_id = o.id and p.membership_id = m.id
      where m.removed_at is null order by m.id`,
  approvals: (id) => sql`
    select ${memberKey} as member, ${resourceKey} as resource, a.make, a.model, ${instant('a.expires_at')} as "expiresAt"
      ${from('resource_approval', 'a', id)} ${member('a.membership_id')}
      left join resource x on x.organization_id = o.id and x.id = a.resource_id order by a.id`,
  currency_records: (id) => sql`
    select ${memberKey} as member, c.name as currency,
        case when ${ofProfile} then r.ended_on::text else ${instant('r.completed_at')} end as "completedAt",
        case when c.kind = 'expiring' then coalesce(${instant('r.expires_at')}, 'never') end as "expiresAt",
        r.medical_class as class, ${instant('r.course_at')} as "courseAt", r.ended_on::text as "endedOn"
      ${from('currency_record', 'r', id)} ${join('currency', 'c', sql`c.id = r.currency_id`)}
      ${member('r.membership_id')} where r.ended_on is not null or not ${ofProfile} order by r.id`,
  reminders: (id) => sql`
    select ${resourceKey} as resource, r.name, r.kind, t.basis, t.interval_months as "intervalMonths",
        t.interval_days as "intervalDays", ${hours('t.interval_hundredths')} as "intervalHours",
        ${instant('t.last_done_at')} as "lastDoneAt", ${hours('t.last_done_hundredths')} as "lastDoneReading", r.grounding
      ${from('maintenance_item', 'r', id)} ${join('resource', 'x', sql`x.id = r.resource_id`)}
      ${join('maintenance_limit', 't', sql`t.reminder_id = r.id`)} order by r.id, t.id`,
  balances: (id) => sql`
    select ${memberKey} as member, sum(e.amount_cents)::int as "amountCents", null as memo
      ${from('ledger_entry', 'e', id)} ${member('e.membership_id')}
      group by m.id, m.external_id having sum(e.amount_cents) <> 0 order by m.id`,
  endorsements: (id) => sql`
    select ${memberKey} as member, e.template_code as code, e.template_edition as edition, e.title,
        e.rendered_text as text, ${instant('e.signed_at')} as "signedAt",
        coalesce(${instant('e.expires_at')}, 'never') as "expiresAt",
        coalesce(e.signer_name, signer.search_name, 'Unknown') as "signerName",
        e.signer_certificate_number as "signerCertificateNumber"
      ${from('endorsement', 'e', id)} ${member('e.membership_id')}
      left join membership signer on signer.organization_id = o.id and signer.id = e.signed_by
      where e.superseded_at is null and e.disowned_at is null order by e.id`,
  courses: (id) => sql`
    select json_build_object('name', n.name, 'description', n.description, 'enrollmentFeeCents', n.enrollment_fee_cents,
          'enrollmentFeeLabel', n.enrollment_fee_label, 'regulatoryPart', n.regulatory_part,
          'certificateSought', n.certificate_sought, 'ratingId', n.rating_id, 'targetDays', n.target_days)::text as course,
        v.label, v.state, ${instant('v.approved_at')} as "approvedAt", v.approval_reference as "approvalReference",
        v.appendix, v.graduation_within_days as "graduationWithinDays", v.device_ceilings::text as "deviceCeilings", v.grading_scale::text as "gradeOptions",
        coalesce((select json_agg(json_build_object('id', q.id, 'code', q.code, 'label', q.label,
            'minDeciHours', q.min_tenths, 'minCount', q.min_count, 'source', q.source,
            'maxSimulatorBps', q.max_simulator_bps, 'maxTransferBps', q.max_transfer_bps,
            'recencyCalendarMonths', q.recency_calendar_months, 'recencyDays', q.recency_days,
            'deviceCeilings', q.device_ceilings) order by q.id)
          from syllabus_requirement q where q.organization_id = o.id and q.version_id = v.id), '[]')::text as requirements,
        coalesce((select json_agg(json_build_object('name', s.name, 'objective', s.objective,
            'requiresStageCheck', s.requires_stage_check, 'lessons', ${lessonsOfStage}) order by s.position, s.id)
          from syllabus_stage s where s.organization_id = o.id and s.version_id = v.id), '[]')::text as stages
      ${from('syllabus_version', 'v', id)} ${join('training_course', 'n', sql`n.id = v.course_id`)} order by v.id`,
  enrollments: (id) => sql`
    select ${memberKey} as member, n.name as course, v.label as version, ${instant('e.created_at')} as "enrolledAt",
        credit.code as "requirementCode", credit.tenths as "deciHours", credit.count, credit.source,
        ${instant('credit.at')} as "occurredAt",
        case when credit.source = 'manual' then coalesce(credit.notes, 'Credited in lessons') else credit.notes end as notes
      ${from('enrollment', 'e', id)} ${member('e.membership_id')}
      ${join('training_course', 'n', sql`n.id = e.course_id`)} ${join('syllabus_version', 'v', sql`v.id = e.version_id`)}
      left join lateral (
        select q.id, q.code, sum(c.tenths) as tenths, sum(c.count) as count, ${creditSource} as source,
            max(c.occurred_at) as at, string_agg(distinct c.notes, '; ') as notes
          from credit_entry c
          join syllabus_requirement q on q.organization_id = c.organization_id and q.id = c.requirement_id
         where c.organization_id = o.id and c.enrollment_id = e.id
         group by q.id, q.code, ${creditSource} having sum(c.tenths) > 0 or sum(c.count) > 0) as credit on true
      where e.status = 'enrolled' order by e.id, credit.id`,
  reservations: (id, now) => sql`
    select r.title, r.type, ${instant('r.starts_at')} as start, ${instant('r.ends_at')} as "end",
        r.time_zone_name as "timeZoneName", ${resourceKey} as resource, ${locationKey} as location,
        ${seated('instructors')} as instructors, ${seated('students')} as students, ${seated('renters')} as renters,
        ${seated('pilots')} as pilots,
        (select string_agg(g.name, ';' order by s.position) from seat s
          join guest g on g.organization_id = s.organization_id and g.id = s.guest_id
          where s.organization_id = r.organization_id and s.reservation_id = r.id) as guests,
        r.passengers, r.ifr, r.notes
      ${from('reservation', 'r', id)}
      left join resource x on x.organization_id = o.id and x.id = r.resource_id
      left join location l on l.organization_id = o.id and l.id = r.location_id
      where r.live and r.starts_at > ${now} and r.ramped_out_at is null order by r.id`,
}
