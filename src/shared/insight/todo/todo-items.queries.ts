import { type RawBuilder, sql } from 'kysely'
import { closedOutSince, isOver, isToSign, seatedOn } from '../../dispatch/close-out.queries.ts'
import { maintainers } from '../../fleet/maintenance/change-squawk.ts'
import { admins, deskStaff, type Role, rolesOf } from '../../platform/authz/roles.ts'
import { lacksRecord, lessonTypes } from '../../training/enrollments/candidates.queries.ts'
import { graders } from '../../training/grants/grants.rules.ts'
import { LEFT_AFTER_DAYS, type TodoKind, type TodoRow, type TodoScope } from './todo.types.ts'

/** An endorsement is on the list from this time before its expiry: 30 days of 24 hours. */
const RENEWED_BEFORE = sql`interval '720 hours'`

interface TodoSource {
  kind: TodoKind
  subject: TodoRow['subjectKind']
  /** The roles whose members have items of this kind; absent: every member. */
  roles?: readonly Role[]
  /** Selects id, title, since, method and path, and `due_at` when `isDue`. */
  items: (scope: TodoScope) => RawBuilder<unknown>
  /** Set when its items have a deadline, `due_at`. */
  isDue?: true
}

/**
 * The query of each kind. `mine` has the recent bookings on which the member has a seat, with the `side` of the seat.
 */
const sources: readonly TodoSource[] = [
  {
    kind: 'ramp_in',
    subject: 'reservation',
    items:
      () => sql`select r.id, r.title, r.ramped_out_at as since, ${doneBy('POST', '/reservations/', 'r.id', '/rampIn')}
      from mine r where r.ramped_out_at is not null and r.ramped_in_at is null`,
  },
  {
    kind: 'confirm_review',
    subject: 'reservation',
    items: ({
      member,
      now,
    }) => sql`select r.id, r.title, ${closedOutSince}, ${doneBy('POST', '/reservations/', 'r.id', '/confirmReview')}
      from mine r cross join lateral (select r.side, ${member.id}::int as membership_id) s where r.signed_off_at is null and ${isOver(now)} and ${isToSign}
      union all select r.id, r.title, n.created_at, ${doneBy('POST', '/reservations/', 'r.id', '/confirmReview')}
      from mine r join charge_notice n on n.organization_id = r.organization_id and n.reservation_id = r.id
        and n.membership_id = ${member.id} where r.signed_off_at is not null and not r.billed`,
  },
  {
    kind: 'write_record',
    subject: 'reservation',
    roles: ['instructor'],
    items: lessonsToRecord,
  },
  {
    kind: 'sign_record',
    subject: 'training_record',
    roles: graders,
    items: ({ organizationId, member }) => sql`select d.id, ${titleOfRecord}, d.created_at,
        ${doneBy('POST', '/training/records/', 'd.id', '/sign')}
      from training_record d ${ofRecord}
      where d.organization_id = ${organizationId} and d.instructor_id = ${member.id} and d.signed_at is null
        and d.grade is not null and d.amended_at is null and e.status = 'enrolled'`,
  },
  {
    kind: 'countersign_record',
    subject: 'training_record',
    items: ({ organizationId, member }) => sql`select d.id, ${titleOfRecord}, d.signed_at,
        ${doneBy('POST', '/training/records/', 'd.id', '/countersign')}
      from training_record d ${ofRecord}
      where d.organization_id = ${organizationId} and e.membership_id = ${member.id} and d.signed_at is not null
        and d.countersigned_at is null and d.amended_at is null`,
  },
  {
    kind: 'renew_endorsement',
    subject: 'endorsement',
    items: ({ organizationId, member, now }) => sql`select d.id, d.title, d.expires_at - ${RENEWED_BEFORE},
        ${doneBy('POST', '/training/endorsements')}
      from endorsement d
      where d.organization_id = ${organizationId} and d.membership_id = ${member.id} and d.superseded_at is null
        and d.expires_at <= ${now}::timestamptz + ${RENEWED_BEFORE}
        and coalesce(d.signed_by::text, d.signer_name) is not null and d.disowned_at is null
        and not exists (select from endorsement n where n.organization_id = d.organization_id
          and n.membership_id = d.membership_id and n.id > d.id and n.template_code = d.template_code
          and n.template_edition = d.template_edition and n.title = d.title and n.superseded_at is null)`,
  },
  {
    kind: 'renew_currency',
    subject: 'currency',
    items: ({ renewals }) => sql`select k."subjectId", k.title, k.since, k.method, k.path
      from json_to_recordset(${JSON.stringify(renewals)}::json)
        as k ("subjectId" int, title text, since timestamptz, method text, path text)`,
  },
  {
    kind: 'prepare_test',
    subject: 'enrollment',
    isDue: true,
    items: ({ preparations }) => sql`select k."subjectId", k.title, k.since, k.method, k.path, k."dueAt" as due_at
      from json_to_recordset(${JSON.stringify(preparations)}::json)
        as k ("subjectId" int, title text, since timestamptz, method text, path text, "dueAt" timestamptz)`,
  },
  {
    kind: 'decide_request',
    subject: 'booking_request',
    roles: deskStaff,
    items: ({ organizationId }) => sql`select q.id, q.title, coalesce(q.confirmed_at, q.created_at),
        ${doneBy('POST', '/booking-requests/', 'q.id', '/approve')}
      from booking_request q where q.organization_id = ${organizationId} and q.status = 'pending'`,
  },
  {
    kind: 'invoice_flight',
    subject: 'reservation',
    roles: admins,
    items: (
      scope,
    ) => sql`select r.id, r.title, r.signed_off_at, ${doneBy('POST', '/reservations/', 'r.id', '/invoices')}
      from reservation r
      where r.organization_id = ${scope.organizationId} and r.live and not r.billed
        and r.collection_style = 'close_out' and r.signed_off_at >= ${earliest(scope)}`,
  },
  {
    kind: 'acknowledge_squawk',
    subject: 'squawk',
    roles: maintainers,
    items: ({
      organizationId,
    }) => sql`select q.id, q.title, q.created_at, ${doneBy('PATCH', '/maintenance/squawks/', 'q.id')}
      from squawk q where q.organization_id = ${organizationId} and q.status = 'open'`,
  },
  {
    kind: 'approve_refund',
    subject: 'invoice',
    roles: admins,
    items: ({ organizationId }) => sql`select i.id, ${titleOfInvoice},
        i.refund_waiting_at, ${doneBy('POST', '/invoices/', 'i.id', '/refund')}
      from invoice i where i.organization_id = ${organizationId} and i.refund_waiting_at is not null`,
  },
  {
    // A dispute is answered at the payment processor, so the action only reads the invoice.
    kind: 'answer_dispute',
    subject: 'invoice',
    roles: admins,
    isDue: true,
    items: ({ organizationId }) => sql`select i.id, ${titleOfInvoice}, i.disputed_at,
        ${doneBy('GET', '/invoices/', 'i.id')}, i.dispute_due_at as due_at
      from invoice i where i.organization_id = ${organizationId} and i.dispute_status = 'open'`,
  },
  {
    kind: 'reverse_payment',
    subject: 'invoice',
    roles: admins,
    items: ({ organizationId }) => sql`select i.id, ${titleOfInvoice}, p.reversal_asked_at,
        ${sql.lit('POST')} as method, '/invoices/' || i.id || '/payments/' || p.id || '/reverse' as path
      from payment p join invoice i on i.organization_id = p.organization_id and i.id = p.invoice_id
      where p.organization_id = ${organizationId} and p.reversal_asked_by is not null`,
  },
  {
    // A plan is applied within 24 hours. Only one with a maintenance booking waits for somebody else than who asked for it.
    kind: 'apply_recovery',
    subject: 'operation',
    roles: deskStaff,
    items: ({ organizationId, now }) => sql`select v.operation_id, v.cause -> 'maintenance' ->> 'title', v.planned_at,
        ${doneBy('POST', '/recoveries/', 'v.operation_id', '/apply')}
      from recovery v where v.organization_id = ${organizationId} and v.status = 'ready' and v.cause ? 'maintenance'
        and v.planned_at > ${now}::timestamptz - interval '24 hours'`,
  },
  {
    kind: 'answer_objection',
    subject: 'reservation',
    roles: admins,
    items: ({ organizationId }) => sql`select r.id, r.title, min(j.objected_at),
        ${doneBy('POST', '/reservations/', 'r.id', '/objections/close')}
      from correction_objection j join reservation r on r.organization_id = j.organization_id and r.id = j.reservation_id
      where j.organization_id = ${organizationId} and j.closed_at is null group by r.id`,
  },
  {
    // Nothing charges it by itself: its payer objected, or it is of a no-show with others aboard, or it could not be charged.
    kind: 'decide_fee',
    subject: 'reservation',
    roles: deskStaff,
    items: ({ organizationId }) => sql`select r.id, r.title, coalesce(f.objected_at, f.cancelled_at),
        ${doneBy('POST', '/reservations/', 'r.id', '/fee')}
      from cancellation_fee f join reservation r on r.organization_id = f.organization_id and r.id = f.reservation_id
      where f.organization_id = ${organizationId} and f.status in ('proposed', 'objected') and f.charge_at is null and f.cents > 0`,
  },
]

/**
 * Selects the lessons that lack the record of a student: lessons that the member taught, and solo and simulator
 * bookings without an instructor of the member's own students.
 */
function lessonsToRecord({ organizationId, member, ...scope }: TodoScope): RawBuilder<unknown> {
  return sql`select r.id, r.title, coalesce(r.ramped_in_at, r.ends_at), ${doneBy('POST', '/training/records')}
    from (select m.* from mine m where m.side = 'instructors'
      union all
      select r.*, null from reservation r where r.organization_id = ${organizationId} and r.live
        and r.type in ('solo', 'sim') and not ${seatedOn('instructors')}
        and r.id = any(array(select s.reservation_id from enrollment e
          join seat s on s.organization_id = e.organization_id and s.membership_id = e.membership_id
            and s.side = 'students' and ${started({ organizationId, member, ...scope })}
          where e.organization_id = ${organizationId} and e.instructor_id = ${member.id} and e.status = 'enrolled'))) r
    where r.type in ${lessonTypes} and ${isOver(scope.now)} and exists (select from seat p
      where p.organization_id = r.organization_id and p.reservation_id = r.id and p.side = 'students' and ${lacksRecord})`
}

const ofRecord = sql`join enrollment e on e.organization_id = d.organization_id and e.id = d.enrollment_id
  join syllabus_lesson l on l.organization_id = d.organization_id and l.id = d.lesson_id
  join membership m on m.organization_id = d.organization_id and m.id = e.membership_id`
const titleOfInvoice = sql`coalesce(i.memo, 'Invoice ' || coalesce(i.number, i.id))`
const titleOfRecord = sql`l.name || ', ' || m.search_name`

/** Selects the request that completes an item: the method, and the path from `before`, the column `id` and `after`. */
function doneBy(method: TodoRow['method'], before: string, id?: string, after = ''): RawBuilder<unknown> {
  const path = id ? sql`${sql.lit(before)} || ${sql.ref(id)} || ${sql.lit(after)}` : sql.lit(before)
  return sql`${sql.lit(method)} as method, ${path} as path`
}

/** Returns the earliest `since` of an item on the list; older items are left out. */
function earliest({ now }: Pick<TodoScope, 'now'>): RawBuilder<unknown> {
  return sql`${now}::timestamptz - make_interval(hours => ${LEFT_AFTER_DAYS * 24})`
}

/**
 * Returns the condition that the booking of a seat `s` can be on the list. It includes flights that leave up to 24
 * hours early or are out for up to 10 days.
 */
function started({ now }: TodoScope): RawBuilder<unknown> {
  return sql`s.starts_at > ${earliest({ now })} - interval '240 hours' and s.starts_at <= ${now}::timestamptz + interval '24 hours'`
}

/** Selects the to-do list of a member, with the columns of `TodoRow`. */
export function selectTodo(scope: TodoScope): RawBuilder<TodoRow> {
  const { organizationId, member } = scope
  const held = rolesOf(member)
  const theirs = sources.filter(({ roles }) => !roles || roles.some((role) => held.includes(role)))
  const parts = theirs.map(
    ({ kind, subject, items, isDue }) =>
      sql`select ${sql.lit(kind)} as kind, ${sql.lit(subject)} as "subjectKind", i.id, i.title, i.since, i.method, i.path,
          ${isDue ? sql.ref('i.due_at') : sql`null::timestamptz`} as due_at
        from (${items(scope)}) i (id, title, since, method, path)`,
  )
  return sql<TodoRow>`(
    with mine as materialized (select r.*, s.side from seat s
      join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
      where s.organization_id = ${organizationId} and s.membership_id = ${member.id} and r.live and ${started(scope)})
    select t.kind, t."subjectKind", t.id as "subjectId", t.title, t.since, t.due_at as "dueAt", t.method, t.path
    from (${sql.join(parts, sql` union all `)}) t
    where t.since >= ${earliest(scope)})`
}
