import type pg from 'pg'

/** The size of a seeded school. */
export interface SchoolSize {
  name: string
  bookings: number
  members: number
  /** The number of aircraft; there are as many instructors. */
  aircraft: number
}

/** A member of a seeded school; requests are sent with the member's token. */
export interface SeededMember {
  accountId: number
  membershipId: number
}

/** A seeded school and three of its members. */
export interface SeededSchool {
  organizationId: number
  admin: SeededMember
  instructor: SeededMember
  /** A student with one in a hundred of the school's bookings. */
  student: SeededMember
  /** The end of the last booking. */
  until: Date
}

/** The bookings cover ten years; the last is ten weeks ahead. */
const YEARS = 10
const WEEKS_AHEAD = 10
const YEAR_SECONDS = 31_557_600

const people = `(array['Maria', 'Olga', 'Peter', 'Hanna', 'John', 'Ana', 'Sven', 'Yuki', 'Omar', 'Li', 'Ivan', 'Grace'])[1 + n % 12]
  || ' ' || (array['Lopez', 'Schmidt', 'Petrov', 'Tanaka', 'Okafor', 'Haddad', 'Nguyen', 'Rossi', 'Silva', 'Novak', 'Kim'])
    [1 + (n / 12) % 11] || ' ' || n`
const title = `case when k % 500 = 0 then 'Checkride ' || k when k % 97 = 0 then 'Maintenance 100 hour'
  else 'Lesson ' || k || ': ' || (array['steep turns', 'stalls', 'landings', 'cross-country', 'night', 'instruments',
    'radio work', 'spins'])[1 + k % 8] end`
const notes = `case k % 5 when 0 then 'Practise the flare; watch the airspeed on final' when 1 then 'Crosswind ' || k % 23 || ' knots'
  when 2 then 'Bring the headset and the logbook, oil ' || k % 7 end`

/**
 * Inserts a school with its people, bookings, seats, invoices, notifications, events and enrollments directly into the
 * tables. One booking in 33 is cancelled; of the flown ones 96 % are invoiced, 1 % charged to a ledger and 3 % not
 * billed. The connection must check no foreign keys and run no triggers (`session_replication_role = replica`).
 */
export async function seedSchool(client: pg.ClientBase, size: SchoolSize): Promise<void> {
  const { name, bookings, members, aircraft } = size
  const one = async (text: string, values: unknown[]) => (await client.query<{ id: number }>(text, values)).rows[0]!.id
  const organization = await one(
    `insert into organization (name, organization_type, time_zone_name, details, code, settings)
     values ($1, 'flight_school', 'UTC', '{"email": "desk@scale.example", "phone": "1", "address": {}}',
       translate(upper(substr(md5($1), 1, 6)), '01', 'GH'), '{}') returning id`,
    [name],
  )
  const base = await one(
    "insert into location (organization_id, name, time_zone_name, address) values ($1, 'Base', 'UTC', '{}') returning id",
    [organization],
  )
  await client.query(
    `with made as (
       insert into account (name, email, password_hash, email_verified_at, tokens_valid_from)
       select ${people}, 'm' || n || '.' || $1::int || '@example.com', '-', 'epoch', 'epoch'
       from generate_series(0, $2::int - 1) n returning id, name
     ), numbered as (select id, name, row_number() over (order by id) - 1 as n from made)
     insert into membership (organization_id, account_id, search_name, admin, owner, dispatcher, instructor, student, flight_rate_cents)
     select $1::int, id, name, n = 0, n = 0, n = 1, n between 2 and $3::int + 1, n > $3::int + 1, 6000 from numbered order by n`,
    [organization, members, aircraft],
  )
  await client.query(
    `insert into resource (organization_id, name, tail_number, kind, location_id, make, model, pool, wet_rate_cents, traits)
     select $1::int, 'N' || 1000 + n || 'FL', 'N' || 1000 + n || 'FL', 'plane', $2::int, 'Cessna', '172S Skyhawk', case when n <= 20 then 'Trainers' end, 18000,
       '{"engines": 1, "category": "airplane", "class": null, "fuelUnits": "gallons"}'
     from generate_series(1, $3::int) n`,
    [organization, base, aircraft],
  )
  await client.query(
    `insert into guest (organization_id, name, email)
     select $1::int, 'Guest ' || ${people}, 'g' || n || '.' || $1::int || '@example.com' from generate_series(1, $2::int) n`,
    [organization, Math.ceil(members / 10)],
  )
  await book(client, { organization, bookings, aircraft })
  await bill(client, organization)
  await tell(client, organization)
  await train(client, organization)
}

interface Booked {
  organization: number
  bookings: number
  aircraft: number
}

/** Inserts bookings of 90 minutes at equal intervals, each with an instructor and a student, one in 200 also with a guest. */
async function book(client: pg.ClientBase, { organization, bookings, aircraft }: Booked): Promise<void> {
  await client.query(
    `create temporary table person as select id, row_number() over (order by id) - 1 as n,
       case when instructor then 'instructor' when student then 'student' end as role
     from membership where organization_id = $1`,
    [organization],
  )
  await client.query('analyze person, resource, guest, membership')
  await client.query(
    `create temporary table planned as
     select k, ids.x as resource_id, c.id as instructor_id, s.id as student_id, g.id as guest_id, starts_at,
       starts_at + interval '90 minutes' as ends_at, k % 33 <> 7 as live, starts_at < now() - interval '1 day' as past
     from generate_series(0, $2::int - 1) k
     cross join lateral (select date_bin('15 minutes', now() + make_interval(weeks => ${WEEKS_AHEAD})
       - make_interval(secs => (${YEARS * YEAR_SECONDS}::float8 / $2::int) * ($2::int - k)), 'epoch') as starts_at) t
     cross join (select (select count(*) from person where role = 'student') as students,
       (select count(*) from guest where organization_id = $1) as guests) p
     join (select id as x, row_number() over (order by id) - 1 as n from resource where organization_id = $1) ids
       on ids.n = k % $3::int
     join person c on c.n = 2 + k % $3::int
     join person s on s.n = 2 + $3::int + case when k % 100 = 0 then 0 else 1 + k % (students - 1) end
     left join (select id, row_number() over (order by id) - 1 as n from guest where organization_id = $1) g
       on g.n = case when k % 200 = 3 then (k / 200) % guests end`,
    [organization, bookings, aircraft],
  )
  await client.query(
    `with first as (select coalesce(max(id), 0) as id from reservation)
     insert into reservation (id, organization_id, title, type, starts_at, ends_at, time_zone_name, resource_id, location_id,
       created_by, notes, live, cancelled_at, cancelled_by, cancellation_category, cancellation_reason, reminded_for,
       review_reminder_stage, ramped_out_at, ramped_in_at, hobbs_out, hobbs_in, tach_out, tach_in, signed_off_at, created_at)
     overriding system value
     select first.id + 1 + k, $1::int, ${title}, 'dual', starts_at, ends_at, 'UTC', resource_id, b.id, d.id, ${notes},
       live, case when not live then starts_at end, case when not live then d.id end, case when not live then 'weather' end,
       case when not live then 'Low ceiling' end, starts_at, 7, case when past and live then starts_at end,
       case when past and live then ends_at end, case when past and live then k end, case when past and live then k + 130 end,
       case when past and live then k end, case when past and live then k + 110 end, case when past and live then ends_at end,
       least(now(), starts_at - interval '14 days')
     from planned, first, (select id from person where n = 1) d, (select id from location where organization_id = $1) b
     order by k`,
    [organization],
  )
  await client.query("select setval(pg_get_serial_sequence('reservation', 'id'), (select max(id) from reservation))")
  await client.query(
    `with first as (select max(id) - (select count(*) from planned) + 1 as id from reservation)
     insert into seat (organization_id, reservation_id, side, position, membership_id, guest_id, starts_at, ends_at, live)
     select $1::int, first.id + k, side, position, membership_id, seated.guest_id, starts_at, ends_at, live
     from first, planned cross join lateral (values ('instructors', 0, instructor_id, null::int),
       ('students', 1, student_id, null::int), ('guests', 2, null::int, guest_id)) seated (side, position, membership_id, guest_id)
     where num_nonnulls(membership_id, seated.guest_id) = 1`,
    [organization],
  )
  await client.query('drop table person, planned')
  await client.query('analyze reservation, seat')
}

/** Inserts the invoices of flown bookings (open when the flight ended within 14 days, else paid) and the ledger charges. */
async function bill(client: pg.ClientBase, organization: number): Promise<void> {
  await client.query(
    `with made as (
       insert into invoice (organization_id, number, status, membership_id, reservation_id, total_cents, amount_paid_cents,
         currency, memo, search, created_at, due_at, paid_at)
       select $1::int, row_number() over (order by r.id), case when open then 'open' else 'paid' end, s.membership_id, r.id, 27000,
         case when open then 0 else 27000 end, 'usd', 'Flight ' || r.id, lower('Flight ' || r.id || E'\\nAircraft rental'),
         r.ends_at, r.ends_at + interval '14 days', case when not open then r.ends_at + interval '1 day' end
       from reservation r join seat s on s.reservation_id = r.id and s.side = 'students'
       cross join lateral (select r.ends_at > now() - interval '14 days' as open) o
       where r.organization_id = $1 and r.signed_off_at is not null and r.id % 50 not in (1, 2)
       returning id)
     insert into invoice_item (organization_id, invoice_id, kind, description, quantity_hundredths, unit, unit_price, amount_cents, position)
     select $1::int, id, 'aircraft', 'Aircraft rental', 150, 'hour', 18000, 27000, 0 from made`,
    [organization],
  )
  await client.query(
    `insert into ledger_entry (organization_id, membership_id, kind, amount_cents, balance_cents, reservation_id, created_at)
     select $1::int, s.membership_id, 'flight_charge', -27000, -27000, r.id, r.ends_at
     from reservation r join seat s on s.reservation_id = r.id and s.side = 'students'
     where r.organization_id = $1 and r.signed_off_at is not null and r.id % 100 = 1`,
    [organization],
  )
}

/** Inserts a notification for every second booking, one in fifty of them for the admin, and one event per booking. */
async function tell(client: pg.ClientBase, organization: number): Promise<void> {
  await client.query(
    `insert into notification (organization_id, membership_id, kind, title, body, dedupe_key, read_at, created_at)
     select $1::int, case when r.id % 100 = 0 then a.id else s.membership_id end, 'reservation_created', 'New booking', r.title,
       'seed-' || r.id, case when r.id % 200 = 0 then r.created_at end, r.created_at
     from reservation r join seat s on s.reservation_id = r.id and s.side = 'students',
       (select min(id) as id from membership where organization_id = $1) a
     where r.organization_id = $1 and r.id % 2 = 0`,
    [organization],
  )
  await client.query(
    `insert into event (organization_id, id, at, kind, actor_kind, membership_id, actor_name, subject_kind, subject_id, after)
     select $1::int, gen_random_uuid(), created_at, 'reservation.created', 'person', created_by, 'Dispatcher', 'reservation', id,
       jsonb_build_object('title', title)
     from reservation where organization_id = $1 order by id`,
    [organization],
  )
}

/** Inserts 20 courses with one member in 40 enrolled in each, and an endorsement and a document per enrollment. */
async function train(client: pg.ClientBase, organization: number): Promise<void> {
  await client.query(
    `with course as (
       insert into training_course (organization_id, name) select $1::int, 'Private pilot ' || n from generate_series(1, 20) n
       returning id
     ), version as (
       insert into syllabus_version (organization_id, course_id, label, state, published_at, grading_scale)
       select $1::int, id, 'Rev A', 'published', now(), '[]' from course returning id, course_id)
     insert into enrollment (organization_id, course_id, version_id, membership_id)
     select $1::int, v.course_id, v.id, m.id from version v join membership m
       on m.organization_id = $1 and m.student and m.id % 40 = v.id % 40`,
    [organization],
  )
  await client.query(
    `insert into endorsement (organization_id, membership_id, title, rendered_text, signed_by)
     select $1::int, e.membership_id, 'Solo', 'May fly solo', a.id
     from enrollment e, (select min(id) as id from membership where organization_id = $1) a where e.organization_id = $1`,
    [organization],
  )
  await client.query(
    `insert into document (organization_id, membership_id, category, content_type, file_name, storage_key, title, upload, uploaded_by)
     select $1::int, e.membership_id, 'medical', 'application/pdf', 'medical.pdf',
       $1::int || '/' || gen_random_uuid() || '.pdf', 'Medical', 'stored', e.membership_id
     from enrollment e where e.organization_id = $1`,
    [organization],
  )
}

/**
 * Returns a seeded school by its name.
 * @throws Error when no such school was seeded
 */
export async function findSeededSchool(client: pg.ClientBase, name: string): Promise<SeededSchool> {
  const { rows } = await client.query<{ id: number; until: Date; people: SeededMember[] }>(
    `select o.id, (select max(ends_at) from reservation r where r.organization_id = o.id) as until,
       (select json_agg(json_build_object('accountId', p.account_id, 'membershipId', p.id) order by p.id) from (
         (select id, account_id from membership where organization_id = o.id and admin order by id limit 1) union all
         (select id, account_id from membership where organization_id = o.id and instructor order by id limit 1) union all
         (select id, account_id from membership where organization_id = o.id and student order by id limit 1)) p) as people
     from organization o where o.name = $1`,
    [name],
  )
  const [found] = rows
  const [admin, instructor, student] = found?.people ?? []
  if (!found || !admin || !instructor || !student) throw new Error(`no school ${name} was seeded`)
  return { organizationId: found.id, admin, instructor, student, until: found.until }
}
