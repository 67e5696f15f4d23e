import { type RawBuilder, sql } from 'kysely'
import { seatSides } from '../../fleet/resources/reservation-types.rules.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff, staff } from '../../platform/authz/roles.ts'
import { byPerson, byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { hasPaper, offlineOfInvoice, plannedLessons } from './page-parts.queries.ts'
import { confirmationKeys, correctionKeys, nth, ofBooking, seatKeys } from './part-sort-keys.queries.ts'
import { readableBy } from './reservation-filter.queries.ts'

/** The fields that rules compute. A list that is sorted by one of them is sorted in memory. */
export const ruled = /^(invoiceTotals|cancellationTerms|fee|review\.needs|review\.waitsFor)(\.|$)/

/**
 * Returns the sort keys of a list of bookings for a reader: SQL over bookings `r`, with their resource `x`, location `l` and
 * creator `cm`.
 */
export function reservationSortKeys(reader: Actor): SortKeys {
  const concerned = (key: RawBuilder<unknown>) => sql`case when ${readableBy(reader)} then ${key} end`
  return {
    id: byValue('r.id'),
    title: byText('r.title'),
    type: byText('r.type'),
    status: byText(status),
    start: byValue('r.starts_at'),
    end: byValue('r.ends_at'),
    timeZoneName: byText('r.time_zone_name'),
    notes: byText(concerned(sql`r.notes`)),
    'resource.id': byValue('x.id'),
    'resource.name': byText('x.name'),
    'resource.kind': byText('x.kind'),
    'resource.tailNumber': byText('x.tail_number'),
    'resource.pool': byText('x.pool'),
    'location.id': byValue('l.id'),
    'location.name': byText('l.name'),
    'location.timeZoneName': byText('l.time_zone_name'),
    ...Object.assign({}, ...seatSides.map((side) => seatKeys(side, is(reader, staff)))),
    'createdBy.orgUserId': byValue('r.created_by'),
    'createdBy.name': byText('cm.search_name'),
    'series.id': byValue('r.series_id'),
    'series.index': byValue('r.series_index'),
    'series.count': byValue('r.series_count'),
    cancelledAt: byValue('r.cancelled_at'),
    'cancellation.reason': byText(concerned(sql`r.cancellation_reason`)),
    'cancellation.category': byText(concerned(sql`r.cancellation_category`)),
    ...byPerson('cancellation.by', concerned(sql`r.cancelled_by`)),
    collectionStyle: byText('r.collection_style'),
    prepaidAmountCents: concerned(sql`r.prepaid_amount_cents`),
    rampedOutAt: byValue('r.ramped_out_at'),
    expectedBackAt: byValue('r.expected_back_at'),
    rampedInAt: byValue('r.ramped_in_at'),
    hobbsTimeOut: byValue('r.hobbs_out'),
    hobbsTimeIn: byValue('r.hobbs_in'),
    tachTimeOut: byValue('r.tach_out'),
    tachTimeIn: byValue('r.tach_in'),
    briefing: byValue('r.briefing_tenths'),
    ...confirmationKeys,
    'review.signedOffAt': byValue('r.signed_off_at'),
    ...correctionKeys(concerned),
    ...stakeKeys('payers', reader),
    ...stakeKeys('paymentOverrides', reader),
    ...invoiceKeys(reader),
    meetingUrl: byText(concerned(sql`r.meeting_url`)),
    passengers: byValue('r.passengers'),
    ifr: byValue('r.ifr'),
    'solo.airport': byText(sql`r.solo ->> 'airport'`),
    'solo.crossCountry': byText(sql`r.solo ->> 'crossCountry'`),
    'solo.classB': sql`(r.solo -> 'classB')::boolean`,
    ...lessonKeys(reader),
    ...overrideKeys(reader),
    createdAt: byValue('r.created_at'),
    updatedAt: byValue('r.updated_at'),
  }
}

/**
 * The status of a booking (`statusOf`) in SQL. It uses `limit 1` because with `exists` PostgreSQL read the invoices of all
 * organizations for a long list.
 */
const status = sql`case when r.cancelled_at is not null then 'cancelled'
  when r.signed_off_at is not null then coalesce((select 'invoiced' from invoice i where i.organization_id = r.organization_id
    and i.reservation_id = r.id and invoice_stands(i.status, i.total_cents, i.credited_cents) limit 1), 'signed_off')
  when r.ramped_in_at is not null or (r.ramped_out_at is null and r.briefing_tenths is not null) then 'ramped_in'
  when r.ramped_out_at is not null then 'ramped_out' else 'booked' end`

/** Returns an SQL condition: readers who are not staff see and sort by their own rows only. */
const mine = (alias: string, reader: Actor) =>
  is(reader, staff) ? sql`` : sql`and ${sql.ref(`${alias}.membership_id`)} = ${reader.orgUserId}`

/**
 * Returns the sort keys of lessons. Readers who are neither staff nor on the booking do not see lessons and cannot sort by
 * them.
 */
function lessonKeys(reader: Actor): SortKeys {
  const shown = is(reader, staff)
    ? sql``
    : sql`and exists (select from seat os where ${ofBooking('os')} and os.membership_id = ${reader.orgUserId})`
  const rows = sql`${plannedLessons} ${shown}`
  const lesson = nth(rows, sql`pl.id`)
  const own = (key: RawBuilder<unknown>) => nth(rows, sql`(pl.membership_id = ${reader.orgUserId}) desc, pl.id`)(key)(0)
  const task = (key: RawBuilder<unknown>) => (index: number) =>
    own(sql`(select ${key} from syllabus_task lt where lt.organization_id = ll.organization_id
      and lt.version_id = ll.version_id and lt.lesson_id = ll.id order by lt.position, lt.id limit 1 offset ${index})`)
  return {
    'lesson.id': own(byValue('ll.id')),
    'lesson.name': own(byText('ll.name')),
    'lesson.kind': own(byText('ll.kind')),
    'lesson.objectives': own(byText('ll.objectives')),
    'lesson.completionStandards': own(byText('ll.completion_standards')),
    'lesson.tasks.*.id': task(byValue('lt.id')),
    'lesson.tasks.*.name': task(byText('lt.name')),
    'lesson.tasks.*.acsCode': task(byText('lt.acs_code')),
    'lesson.tasks.*.standard': task(byText('lt.standard')),
    'lessons.*.orgUserId': lesson(byValue('pl.membership_id')),
    'lessons.*.lessonId': lesson(byValue('ll.id')),
  }
}

function stakeKeys(path: string, reader: Actor): SortKeys {
  const stake = nth(sql`payer_stake p where ${ofBooking('p')} ${mine('p', reader)}`, sql`p.position`)
  const ofKind = (kind: string, column: string) => stake(sql`case when p.kind = ${kind} then ${sql.ref(column)} end`)
  return {
    [`${path}.*.orgUserId`]: stake(byValue('p.membership_id')),
    [`${path}.*.guestId`]: stake(byValue('p.guest_id')),
    [`${path}.*.name`]: stake(nameOf('p')),
    [`${path}.*.hobbsTimeOut`]: ofKind('readings', 'p.hobbs_out'),
    [`${path}.*.hobbsTimeIn`]: ofKind('readings', 'p.hobbs_in'),
    [`${path}.*.tachTimeOut`]: ofKind('readings', 'p.tach_out'),
    [`${path}.*.tachTimeIn`]: ofKind('readings', 'p.tach_in'),
    [`${path}.*.percentage`]: ofKind('percentage', 'p.percentage_bps'),
    [`${path}.*.waived`]: stake(sql`case when p.kind = 'waived' then 1 end`),
  }
}

function invoiceKeys(reader: Actor): SortKeys {
  const invoice = nth(sql`invoice i where ${ofBooking('i')} and i.status <> 'failed' ${mine('i', reader)}`, sql`i.id`)
  return {
    'invoices.*.id': invoice(byValue('i.id')),
    'invoices.*.payer.orgUserId': invoice(byValue('i.membership_id')),
    'invoices.*.payer.guestId': invoice(byValue('i.guest_id')),
    'invoices.*.payer.name': invoice(nameOf('i')),
    'invoices.*.totalCents': invoice(byValue('i.total_cents')),
    'invoices.*.paid': invoice(sql`i.status = 'paid'`),
    'invoices.*.voided': invoice(sql`i.status = 'void'`),
    'invoices.*.payUrl': invoice(
      byText(sql`case when ${is(reader, deskStaff)} or i.membership_id = ${reader.orgUserId} then i.pay_url end`),
    ),
    owedBackCents: sql`case when r.cancelled_at is null then 0 else coalesce((select sum(${offlineOfInvoice}) from invoice i
      where ${ofBooking('i')} and i.status <> 'failed' ${mine('i', reader)}), 0) end`,
  }
}

/** Returns the sort keys of the overrides in force, as defined by `isInForce`. Only staff see overrides. */
function overrideKeys(reader: Actor): SortKeys {
  const override = nth(
    sql`rule_override o join membership om on om.organization_id = o.organization_id and om.id = o.overridden_by
      where ${ofBooking('o')} and ${is(reader, staff)}::boolean and o.ended_at is null and o.resource_id is not distinct from r.resource_id
        and r.starts_at between o.starts_at - interval '24 hours' and o.starts_at + interval '24 hours'
        and (o.membership_id is null or exists (select from seat os where ${ofBooking('os')}
          and os.membership_id = o.membership_id))`,
    sql`o.id`,
  )
  return {
    'overrides.*.rule': override(byText('o.rule')),
    'overrides.*.orgUserId': override(byValue('o.membership_id')),
    'overrides.*.reason': override(byText('o.reason')),
    'overrides.*.by.orgUserId': override(byValue('o.overridden_by')),
    'overrides.*.by.name': override(byText('om.search_name')),
    'overrides.*.at': override(byValue('o.created_at')),
    'overrides.*.documentId': override(byValue('o.document_id')),
    'overrides.*.paper': override(byText(sql`${hasPaper}::text`)),
  }
}

/** Returns SQL for the name of the member or guest that a row refers to. */
function nameOf(alias: string): RawBuilder<unknown> {
  return byText(sql`coalesce(
    (select nm.search_name from membership nm
      where nm.organization_id = ${sql.ref(`${alias}.organization_id`)} and nm.id = ${sql.ref(`${alias}.membership_id`)}),
    (select ng.name from guest ng
      where ng.organization_id = ${sql.ref(`${alias}.organization_id`)} and ng.id = ${sql.ref(`${alias}.guest_id`)}))`)
}
