import type pg from 'pg'
import { withDigest } from '../../src/shared/scheduling/at-risk/judge-marked.ts'
import type { SchoolSize } from './seed-school.ts'

/** SQL for the id of the school's first member, the admin. The next member is the dispatcher; instructors and students follow. */
export const firstMember = '(select min(id) from membership where organization_id = $1)'

/**
 * Inserts the records of the front desk other than bookings: absences, groups, approvals, files, squawks, reminders,
 * closures, requests, invitations, announcements, operations, offerings, views and webhooks. Needs the connection that
 * `seedSchool` describes.
 */
export async function seedDesk(
  client: pg.ClientBase,
  organization: number,
  { bookings, members }: SchoolSize,
): Promise<void> {
  const run: Run = (text, ...values) => client.query(text, [organization, ...values])
  await run(
    `insert into time_off (organization_id, membership_id, starts_at, ends_at, reason)
     select $1::int, id, t, t + interval '3 days', 'Away ' || id % 30 from membership
     cross join lateral (select now() + make_interval(days => (id * 37 % 3650) - 3580) as t) at
     where organization_id = $1 and id % 2 = 0`,
  )
  await run(
    `insert into availability (organization_id, membership_id, day_of_week, start_minute, end_minute)
     select $1::int, id, day, 480, 1200 from membership, generate_series(1, 6) day where organization_id = $1 and instructor`,
  )
  await run(
    `with made as (
       insert into member_group (organization_id, name, description) select $1::int, 'Group ' || n, 'Block ' || n
       from generate_series(0, 19) n returning id)
     insert into group_member (organization_id, group_id, membership_id)
     select $1::int, g.id, m.id from (select id, row_number() over (order by id) - 1 as n from made) g
     join membership m on m.organization_id = $1 and m.id % 100 = g.n`,
  )
  await run(
    `insert into resource_approval (organization_id, membership_id, resource_id, approved_by)
     select $1::int, m.id, r.id, ${firstMember} from membership m join resource r on r.organization_id = $1 and r.id % 10 = 0
     where m.organization_id = $1 and m.student and m.id % 20 = 0`,
  )
  await fleet(run)
  await run(
    `insert into closure (organization_id, created_by, location_id, resource_id, reason, starts_at, ends_at)
     select $1::int, ${firstMember}, case when n % 2 = 0 then l.id end, case when n % 2 = 1 then r.id end, 'Runway works ' || n, t,
       t + interval '2 hours'
     from generate_series(1, $2::int) n, (select min(id) as id from location where organization_id = $1) l,
       (select min(id) as id from resource where organization_id = $1) r,
       lateral (select now() + make_interval(hours => (n * 97 % 87600) - 85920) as t) at`,
    Math.ceil(bookings / 500),
  )
  await run('update organization set show_in_directory = true where id = $1')
  await waiting(run)
  await asking(run, { bookings, members })
  await telling(run, bookings)
  await flagging(run)
}

/** Inserts 200 entries of the waiting list, half of them ended, each with an offer that expired. */
async function waiting(run: Run): Promise<void> {
  await run(
    `with made as (
       insert into waitlist_entry (organization_id, membership_id, created_by, type, duration_minutes, windows, ranked_at,
         status, ended_at, end_cause)
       select $1::int, m.id, m.id, 'dual', 120, jsonb_build_array(jsonb_build_object('start', now() + interval '1 day',
         'end', now() + interval '3 days')), now() - make_interval(mins => n::int),
         case when n % 2 = 0 then 'ended' else 'waiting' end, case when n % 2 = 0 then now() end,
         case when n % 2 = 0 then 'over' end
       from (select id, row_number() over (order by id) as n from membership where organization_id = $1 and student limit 200) m
       returning id, membership_id)
     insert into offer (organization_id, source, entry_id, membership_id, type, starts_at, ends_at, resource_id, made_at,
       expires_at, holds_until, status, ended_at)
     select $1::int, 'waitlist', made.id, made.membership_id, 'dual', now() + interval '1 day', now() + interval '26 hours',
       (select min(id) from resource where organization_id = $1), now() - interval '2 hours', now() - interval '1 hour',
       now() - interval '1 hour', 'expired', now() - interval '1 hour'
     from made`,
  )
}

type Run = (text: string, ...values: unknown[]) => Promise<pg.QueryResult>

/** Inserts a flag for one future booking in fifty. */
async function flagging(run: Run): Promise<void> {
  const { rows } = await run(
    'select id from reservation where organization_id = $1 and live and starts_at > now() and id % 50 = 0',
  )
  const flags = rows.map(({ id }: { id: number }) =>
    withDigest({
      reservationId: id,
      rules: ['closed_period'],
      causes: [],
      forDesk: [],
      forOthers: [],
      warningsForDesk: [],
      warningsForOthers: [],
    }),
  )
  await run(
    `insert into reservation_at_risk (organization_id, reservation_id, causes, for_desk, for_others, rules, digest, since)
     select $1::int, "reservationId", causes, "forDesk", "forOthers", rules, digest, now()
     from jsonb_to_recordset($2::jsonb)
       as f ("reservationId" int, causes jsonb, "forDesk" jsonb, "forOthers" jsonb, rules jsonb, digest text)`,
    JSON.stringify(flags),
  )
}

/** Inserts five files, twenty squawks, ten reminders and a hundred completions per aircraft. */
async function fleet(run: Run): Promise<void> {
  await run(
    `insert into resource_file (organization_id, resource_id, category, content_type, file_name, storage_key, upload, uploaded_by, visibility)
     select $1::int, r.id, 'poh', 'application/pdf', 'poh.pdf', $1::int || '/' || gen_random_uuid() || '.pdf', 'stored', ${firstMember}, 'bookers'
     from resource r, generate_series(1, 5) where r.organization_id = $1`,
  )
  await run(
    `insert into squawk (organization_id, resource_id, reported_by, severity, status, title, resolved_at, resolved_by, created_at)
     select $1::int, r.id, by, 'observation', case n % 10 when 0 then 'open' else 'resolved' end, 'Light ' || n,
       case when n % 10 > 0 then now() end, case when n % 10 > 0 then by end, now() - make_interval(days => n * 180)
     from resource r, generate_series(1, 20) n, (select ${firstMember} as by) p where r.organization_id = $1`,
  )
  await run(
    `with made as (
       insert into maintenance_item (organization_id, resource_id, name, warn_days, warn_hundredths)
       select $1::int, r.id, 'Check ' || n, 30, 1000
       from resource r, generate_series(1, 10) n where r.organization_id = $1 returning id, substring(name from 7)::int as n
     ), limited as (
       insert into maintenance_limit (organization_id, reminder_id, basis, interval_months, due_at)
       select $1::int, id, 'calendar', 12, now() + make_interval(days => n * 40) from made)
     insert into maintenance_completion (organization_id, reminder_id, membership_id, done_at, signer_name)
     select $1::int, made.id, ${firstMember}, now() - make_interval(years => y), 'Tom Tech' from made, generate_series(1, 10) y`,
  )
}

/** Inserts booking requests, invitations, requests to join, and public offerings. */
async function asking(run: Run, { bookings, members }: { bookings: number; members: number }): Promise<void> {
  await run(
    `insert into booking_request (organization_id, requester_id, resource_id, location_id, type, title, status, decided_at, decided_by,
       starts_at, ends_at, time_zone_name, created_at)
     select $1::int, s.membership_id, r.resource_id, r.location_id, 'dual', r.title,
       case when pending then 'pending' else 'declined' end, case when not pending then r.created_at end,
       case when not pending then ${firstMember} end, r.starts_at, r.ends_at, 'UTC', r.created_at
     from reservation r join seat s on s.reservation_id = r.id and s.side = 'students',
       lateral (select r.starts_at > now() as pending) p
     where r.organization_id = $1 and r.id % 50 = 0`,
  )
  await run(
    `insert into booking_request_seat (organization_id, booking_request_id, membership_id, side, position)
     select $1::int, id, requester_id, 'students', 0 from booking_request where organization_id = $1`,
  )
  await run(
    `insert into invitation (organization_id, email, student, invited_by, expires_at, seed, token_hash)
     select $1::int, 'i' || n || '.' || $1::int || '@example.com', true, ${firstMember}, now() + interval '7 days', '-',
       $1::int || '-' || n from generate_series(1, $2::int) n`,
    Math.ceil(members / 20),
  )
  await run(
    `insert into join_request (organization_id, account_id, status, decided_at, decided_by)
     select $1::int, account_id, case when id % 100 = 0 then 'pending' else 'declined' end, case when id % 100 > 0 then now() end,
       case when id % 100 > 0 then ${firstMember} end
     from membership where organization_id = $1 and id % 20 = 0`,
  )
  await run(
    `with made as (
       insert into offering (organization_id, name, duration_minutes, collection_style, price_cents)
       select $1::int, 'Discovery flight ' || n, 60, 'close_out', 19900 from generate_series(1, 20) n returning id
     ), planes as (
       insert into offering_resource (organization_id, offering_id, resource_id)
       select $1::int, made.id, r.id from made, (select id from resource where organization_id = $1 order by id limit 5) r)
     insert into offering_instructor (organization_id, offering_id, membership_id)
     select $1::int, made.id, m.id from made,
       (select id from membership where organization_id = $1 and instructor order by id limit 5) m`,
  )
  await run(
    `update booking_request set offering_id = (select min(id) from offering where organization_id = $1)
     where organization_id = $1 and id % 10 = 0 and $2::int > 0`,
    bookings,
  )
}

/**
 * Inserts announcements that one member in a hundred has read, operations (the last one has rows), saved report views,
 * and webhooks (the first one has deliveries).
 */
async function telling(run: Run, bookings: number): Promise<void> {
  await run(
    `with made as (
       insert into announcement (organization_id, author_id, title, body, publish_at, pinned)
       select $1::int, ${firstMember}, 'News ' || n, 'The runway is closed', now() - make_interval(days => n), n % 100 = 0
       from generate_series(1, $2::int) n returning id)
     insert into announcement_read (organization_id, announcement_id, membership_id, read_at)
     select $1::int, made.id, m.id, now() from made join membership m on m.organization_id = $1 and m.id % 100 = 0`,
    Math.ceil(bookings / 500),
  )
  await run(
    `with made as (
       insert into operation (organization_id, kind, atomic, input, status, total, done, succeeded, started_by, started_at, ended_at)
       select $1::int, 'import', false, '{"kind": "members"}', 'done', $2::int, $2::int, $2::int, ${firstMember}, now(), now()
       from generate_series(1, $3::int) returning id)
     insert into operation_row (organization_id, operation_id, number, outcome, subject_id)
     select $1::int, o.id, n, case n % 50 when 0 then 'refused' else 'created' end, n
     from (select max(id) as id from made) o, generate_series(1, $2::int) n`,
    Math.ceil(bookings / 10),
    Math.ceil(bookings / 50),
  )
  await run(
    `insert into report_view (organization_id, membership_id, name, report, parameters, shared)
     select $1::int, ${firstMember}, 'View ' || n, 'revenue', '{"period": "last_month"}', true from generate_series(1, 20) n`,
  )
  await run(
    `with made as (
       insert into webhook_endpoint (organization_id, url, events, secret, created_by_id)
       select $1::int, 'https://hooks.example.com/' || n, '["reservation.created"]', '-', ${firstMember}
       from generate_series(1, 5) n returning id
     ), told as (
       insert into webhook_event (organization_id, id, at, type, subject, payload)
       select organization_id, id, at, kind, subject_kind || ' ' || subject_id, '{}' from event
       where organization_id = $1 and subject_id % 20 = 0 returning id, subject)
     insert into webhook_delivery (organization_id, endpoint_id, event_id, subject, state, attempt)
     select $1::int, e.id, told.id, told.subject, 'succeeded', 1 from told, (select min(id) as id from made) e`,
  )
}

/** Requests use the school's first record of each of these tables. */
const named = [
  ...['location', 'resource', 'member_group', 'maintenance_item', 'reservation', 'offering'],
  ...['training_course', 'enrollment', 'webhook_endpoint', 'report_view'],
] as const

/** Ids of records by table (`named`); also `credited`, an invoice with a credit note, and `operation`, the operation with rows. */
export type NamedRecords = Record<string, number>

/** Returns the ids of the records of a seeded school that requests use. */
export async function findNamedRecords(client: pg.ClientBase, organizationId: number): Promise<NamedRecords> {
  const firsts = named.map((table) => `(select min(id) from ${table} where organization_id = $1) as ${table}`)
  const { rows } = await client.query<NamedRecords>(
    `select ${firsts}, (select min(invoice_id) from credit_note where organization_id = $1) as credited,
       (select max(operation_id) from operation_row where organization_id = $1) as operation`,
    [organizationId],
  )
  return rows[0]!
}
