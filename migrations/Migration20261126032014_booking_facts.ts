import { Migration } from '@mikro-orm/migrations'

/**
 * The triggers of the tables that the booking rules read. A change of their rows writes marks, so that the bookings that it
 * concerns are judged again.
 */
export class Migration20261126032014_booking_facts extends Migration {
  override up(): void {
    for (const fact of facts) {
      for (const event of fact.on) {
        const name = `booking_fact_${fact.table}_${event}`
        this.addSql(`
      create function ${name}() returns trigger language plpgsql as $function$
      begin
        insert into job_mark (organization_id, job, about)
        ${marksOf(fact, event)};
        return null;
      end $function$`)
        this.addSql(`create trigger booking_fact_${event} after ${event} on ${fact.table} referencing ${rowsOf[event]}
          for each statement execute function ${name}()`)
      }
    }
  }
}

type Event = 'insert' | 'update' | 'delete'

/** The names of the rows that a statement changed. */
const rowsOf = {
  insert: 'new table as after',
  update: 'old table as before new table as after',
  delete: 'old table as before',
}

/** What a row concerns of bookings. */
interface About {
  /** The columns of what it concerns; none: all bookings. Without a value there is no mark, except of a name with `?`. */
  names?: Record<string, string>
  /** The columns whose changes alone count. Without it, all columns count that are not `unread`. */
  watched?: string
}

interface Fact {
  table: string
  on: readonly Event[]
  abouts: readonly About[]
  /** The columns that no rule reads. */
  unread?: string
}

/**
 * Returns the query of the marks of one statement. A statement marks the same once, however many rows say so. PostgreSQL keeps
 * the plan that it made for one row; a full join is never a nested loop, so it suits many rows too.
 */
function marksOf({ table, abouts, unread = '' }: Fact, event: Event): string {
  const owner = table === 'organization' ? 'id' : 'organization_id'
  const versions = event === 'insert' ? ['after'] : event === 'delete' ? ['before'] : ['before', 'after']
  const stamps = ['created_at', 'updated_at', 'transaction_id']
  const besides = `'{${[...stamps, ...(unread === '' ? [] : unread.split(', '))]}}'::text[]`
  const marked = abouts
    .filter(({ watched }) => event === 'update' || !watched)
    .flatMap((about) => versions.map((version) => `(${aboutOf(about, version, event)})`))
  const from =
    event === 'update'
      ? `before full join after using (id)
          cross join lateral (select to_jsonb(before) - ${besides} <> to_jsonb(after) - ${besides} as changed offset 0) one`
      : versions[0]
  return `select distinct o.id, 'reservations.judge-at-risk', mark.about
        from ${from}
        cross join lateral (values ${[...new Set(marked)].join(', ')}) mark (about)
        join organization o on o.id = ${event === 'update' ? `coalesce(before.${owner}, after.${owner})` : `${versions[0]}.${owner}`}
        where mark.about is not null`
}

/** Returns the mark of a version of a row; null when there is none. */
function aboutOf({ names = {}, watched }: About, version: string, event: Event): string {
  const of = (columns: readonly string[], row: string) => columns.map((column) => `${row}.${column}`).join(', ')
  const needed = Object.entries(names).flatMap(([name, column]) => (name.endsWith('?') ? [] : [column]))
  const columns = watched?.split(', ') ?? []
  const changed = watched
    ? `row(${of(columns, 'before')}) is distinct from row(${of(columns, 'after')})`
    : 'one.changed'
  const conditions = [
    ...(event === 'update' ? [changed] : []),
    ...needed.map((column) => `${version}.${column} is not null`),
  ]
  const pairs = Object.entries(names).map(([name, column]) => `'${name.replace('?', '')}', ${version}.${column}`)
  const optional = Object.keys(names).some((name) => name.endsWith('?'))
  const object = `jsonb_build_object(${pairs.join(', ')})`
  return `case when ${conditions.join(' and ') || 'true'} then ${optional ? `jsonb_strip_nulls(${object})` : object} end`
}

const anyChange = ['insert', 'update', 'delete'] as const

const facts: readonly Fact[] = [
  { table: 'availability', on: anyChange, abouts: [{ names: { memberId: 'membership_id' } }] },
  {
    table: 'booking_request',
    on: anyChange,
    abouts: [{ names: { resourceId: 'resource_id', start: 'starts_at', end: 'ends_at' } }],
  },
  {
    table: 'closure',
    on: anyChange,
    abouts: [{ names: { 'resourceId?': 'resource_id', start: 'starts_at', end: 'ends_at' } }],
  },
  { table: 'currency_record', on: anyChange, abouts: [{ names: { memberId: 'membership_id' } }] },
  { table: 'currency', on: anyChange, abouts: [{}], unread: 'warn_days' },
  {
    table: 'document',
    on: anyChange,
    abouts: [{ names: { 'memberId?': 'membership_id' } }],
    unread: 'note, title, expiry_notified_days',
  },
  {
    table: 'endorsement',
    on: anyChange,
    abouts: [{ names: { memberId: 'membership_id' } }],
    unread: 'expiry_notified_days',
  },
  { table: 'enrollment', on: anyChange, abouts: [{ names: { memberId: 'membership_id' } }] },
  { table: 'flight_log', on: anyChange, abouts: [{ names: { memberId: 'membership_id' } }] },
  { table: 'location', on: ['update'], abouts: [{}], unread: 'name, address, airport_identifier' },
  { table: 'maintenance_limit', on: anyChange, abouts: [{ names: { reminderId: 'reminder_id' } }] },
  {
    table: 'maintenance_item',
    on: anyChange,
    abouts: [{ names: { resourceId: 'resource_id' } }],
    unread: 'notified_status',
  },
  { table: 'member_profile', on: anyChange, abouts: [{ names: { memberId: 'membership_id' } }], unread: 'facts' },
  {
    table: 'membership',
    on: ['insert', 'update'],
    abouts: [{ names: { memberId: 'id' } }, { watched: 'admin, owner, removed_at' }],
    unread:
      'billing_mode, gateway_key, search_email, search_name, flight_rate_cents, ground_rate_cents, sim_rate_cents, flight_pay_cents, ground_pay_cents, sim_pay_cents, tax_exempt, autopay, autopay_max_cents, autopay_at',
  },
  { table: 'organization', on: ['update'], abouts: [{ watched: 'settings, time_zone_name' }] },
  {
    table: 'reservation',
    on: ['insert', 'update'],
    abouts: [
      { names: { reservationId: 'id' } },
      { names: { crewOf: 'id' }, watched: 'signed_off_at, hobbs_out, hobbs_in, type, resource_id, live' },
    ],
    unread:
      'billed, cancellation_category, cancellation_reason, cancelled_by, expected_back_at, meeting_url, notes, overdue_stage, reminded_for, review_reminder_stage, series_count, series_id, series_index, signatures_cleared_at, title, uid',
  },
  {
    table: 'resource',
    on: ['insert', 'update'],
    abouts: [{ names: { resourceId: 'id' } }],
    unread:
      'fuel_engine1, fuel_engine2, fuel_updated_at, dry_rate_cents, wet_rate_cents, overnight_minimum_tenths, serial_number, year',
  },
  {
    table: 'resource_approval',
    on: anyChange,
    abouts: [{ names: { memberId: 'membership_id', 'resourceId?': 'resource_id' } }],
  },
  {
    table: 'rule_override',
    on: anyChange,
    abouts: [{ names: { reservationId: 'reservation_id' } }],
    unread: 'notified_at',
  },
  {
    table: 'seat',
    on: anyChange,
    abouts: [
      { names: { memberId: 'membership_id', start: 'starts_at', end: 'ends_at' } },
      { names: { reservationId: 'reservation_id' } },
    ],
  },
  {
    table: 'squawk',
    on: anyChange,
    abouts: [{ names: { resourceId: 'resource_id' } }],
    unread:
      'description, severity, reported_by, reservation_id, deferred_until, deferral_reference, placarded, deferral_ended, resolution, resolved_by, resolved_at',
  },
  {
    table: 'time_off',
    on: anyChange,
    abouts: [{ names: { memberId: 'membership_id', start: 'starts_at', end: 'ends_at' } }],
    unread: 'reason',
  },
  { table: 'training_course', on: ['update'], abouts: [{ watched: 'regulatory_part' }] },
  {
    table: 'training_test',
    on: anyChange,
    abouts: [{ names: { memberId: 'membership_id' } }],
    unread:
      'score, examiner, deficiencies, report_number, endorsement_id, recorded_by, expires_at, expiry_notified_days',
  },
]
