import { inTransaction } from '../../src/shared/platform/db/transaction.ts'
import { findDesk } from '../../src/shared/scheduling/at-risk/at-risk.queries.ts'
import { judgeAhead } from '../../src/shared/scheduling/at-risk/judge-ahead.ts'
import { judgeMarked } from '../../src/shared/scheduling/at-risk/judge-marked.ts'
import type { TestApp } from './app.ts'
import { buildSchool } from './builders.ts'
import { asOwner } from './database.ts'

/** Judges the future bookings of an organization that the changes so far concern, as the workers do within seconds. */
export async function judgeSoFar(api: TestApp, organizationId: number): Promise<void> {
  const { database } = api.core
  await database.pool.query(`update at_risk_run set started_at = '2001-01-01' where organization_id = $1`, [
    organizationId,
  ])
  const { enqueued } = await inTransaction(database, api.core.clock, (tx) => judgeMarked(tx, organizationId))
  api.core.relay.publish(enqueued)
}

/**
 * Returns the ids of the future bookings that are flagged, of those that judging every booking again finds, and of all.
 */
export async function flaggedAndFound(api: TestApp, organizationId: number) {
  const { database, clock } = api.core
  const now = clock()
  const idsOf = async (query: string, ...values: unknown[]) =>
    (await database.pool.query<{ id: number }>(query, [organizationId, ...values])).rows.map(({ id }) => id)
  const flagged = await idsOf(
    `select a.reservation_id as id from reservation_at_risk a join reservation r on r.id = a.reservation_id
     where a.organization_id = $1 and r.live and r.starts_at > $2 order by 1`,
    now,
  )
  const all = await idsOf('select id from reservation where organization_id = $1 and live and starts_at > $2', now)
  const desk = (await findDesk(database.db, organizationId))!
  const found = (await judgeAhead(database.db, desk, now, all)).map(({ row }) => row.id)
  return { flagged, found: found.sort((one, other) => one - other), all }
}

/** A school with bookings of all its aircraft from tomorrow on: four flights of an hour and a half a day. */
export interface BusySchool {
  organizationId: number
  planes: number[]
  instructors: number[]
  students: number[]
  /** The first day with bookings. */
  from: Date
  days: number
}

const DAY_MS = 86_400_000
const DAYS_AT_ONCE = 7

/**
 * Builds a school with this number of future bookings. Each aircraft has an instructor, and five students take turns.
 */
export async function buildBusySchool(
  api: TestApp,
  { planes: count, bookings }: { planes: number; bookings: number },
): Promise<BusySchool> {
  const { organizationId, location, admin } = await buildSchool(api, { settings: { aircraftApprovalRequired: true } })
  const { pool } = api.core.database
  const idsOf = async (query: string, ...values: unknown[]) =>
    (await pool.query<{ id: number }>(query, [organizationId, ...values])).rows.map(({ id }) => id)
  const people = (role: string, many: number) =>
    idsOf(
      `with people as (insert into account (name, email, password_hash, tokens_valid_from)
         select $2 || ' ' || n, $2 || n || '.' || $1::int || '@example.com', '-', 'epoch' from generate_series(1, $3::int) n
         returning id)
       insert into membership (organization_id, account_id, ${role}) select $1, id, true from people returning id`,
      role,
      many,
    )
  const planes = await idsOf(
    `insert into resource (organization_id, location_id, kind, name, make, model, traits, hobbs_hundredths, tach_hundredths)
     select $1, $2, 'plane', 'N' || n, 'Cessna', '172', '{"category": "airplane", "class": "single_engine_land"}', 100000, 90000
     from generate_series(1, $3::int) n returning id`,
    location.id,
    count,
  )
  await pool.query(
    `with items as (insert into maintenance_item (organization_id, resource_id, name, grounding, scope, warn_days, warn_hundredths)
       select $1, x.id, '100 hours', true, 'for_hire_or_instruction', 10, 1000 from unnest($2::int[]) x (id) returning id)
     insert into maintenance_limit (organization_id, reminder_id, basis, due_hundredths)
     select $1, id, 'hobbs', 110000 from items`,
    [organizationId, planes],
  )
  const instructors = await people('instructor', count)
  const students = await people('student', count * 5)
  await pool.query(
    `insert into currency (organization_id, name, kind, enforcement, applies_to)
     values ($1, 'Club check', 'expiring', 'warn', 'everyone')`,
    [organizationId],
  )
  await pool.query(
    `insert into resource_approval (organization_id, resource_id, membership_id, approved_by)
     select $1, x.id, m.id, $4 from unnest($2::int[]) x (id), unnest($3::int[]) m (id)`,
    [organizationId, planes.slice(0, 4), students, admin.orgUserId],
  )
  const from = new Date(Math.ceil(api.clock.now.getTime() / DAY_MS) * DAY_MS + DAY_MS)
  const days = Math.ceil(bookings / count / 4)
  // A week at a time, since a statement has fifteen seconds.
  for (let day = 0; day < days; day += DAYS_AT_ONCE) {
    const left = Math.min(bookings - day * count * 4, DAYS_AT_ONCE * count * 4)
    await pool.query(
      `with slot as (
       select p.id as plane, p.at as place, d as day, h as turn,
         $4::timestamptz + make_interval(days => d, hours => 8 + 3 * h) as starts_at,
         ($5::int[])[p.at] as instructor, ($6::int[])[(p.at - 1) * 5 + 1 + (d * 4 + h) % 5] as student
       from unnest($3::int[]) with ordinality p (id, at), generate_series($10::int, $7::int - 1) d, generate_series(0, 3) h
       order by d, h, p.at limit $8),
     made as (
       insert into reservation (organization_id, type, title, starts_at, ends_at, time_zone_name, resource_id, location_id,
         created_by, ifr)
       select $1, case when place % 3 = 0 then 'solo' else 'dual' end, 'Lesson', starts_at, starts_at + interval '90 minutes',
         'UTC', plane, $2, $9, turn = 3
       from slot returning id, resource_id, starts_at, ends_at, type)
     insert into seat (organization_id, reservation_id, side, position, membership_id, starts_at, ends_at)
     select $1, m.id, side.name, 0, side.person, m.starts_at, m.ends_at
     from made m join slot on slot.plane = m.resource_id and slot.starts_at = m.starts_at,
     lateral (values ('students', slot.student), ('instructors', slot.instructor)) side (name, person)
     where side.name = 'students' or m.type = 'dual'`,
      [
        ...[organizationId, location.id, planes, from, instructors, students, Math.min(day + DAYS_AT_ONCE, days), left],
        ...[admin.orgUserId, day],
      ],
    )
  }
  await asOwner(api, 'analyze')
  return { organizationId, planes, instructors, students, from, days }
}

/** Returns a generator of pseudo-random numbers from 0 to below 1 with this seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Makes one random change of a fact that the rules read, written as the use cases write it. Returns its kind. */
export async function changeSomething(api: TestApp, school: BusySchool, random: () => number): Promise<string> {
  const { organizationId: org } = school
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const maybe = (chance: number) => random() < chance
  const at = () =>
    new Date(
      school.from.getTime() + Math.floor(random() * school.days) * DAY_MS + (8 + Math.floor(random() * 12)) * 3_600_000,
    )
  const member = () => pick(maybe(0.5) ? school.instructors : school.students)
  const run = (query: string, ...values: unknown[]) => api.core.database.pool.query(query, [org, ...values])
  const changes: Record<string, () => Promise<unknown>> = {
    grounding: () =>
      run(
        'update resource set grounded_by_person = $2 where organization_id = $1 and id = $3',
        maybe(0.5),
        pick(school.planes),
      ),
    squawk: () =>
      run(
        'update resource set system_hold_reason = $2 where organization_id = $1 and id = $3',
        maybe(0.5) ? 'Nose strut is flat' : null,
        pick(school.planes),
      ),
    reading: () =>
      run(
        'update resource set hobbs_hundredths = $2 where organization_id = $1 and id = $3',
        maybe(0.3) ? 111_000 : 101_000,
        pick(school.planes),
      ),
    limit: () =>
      run(
        `update maintenance_limit set due_hundredths = $2 where organization_id = $1 and reminder_id =
           (select id from maintenance_item where organization_id = $1 and resource_id = $3 limit 1)`,
        maybe(0.5) ? 99_000 : 120_000,
        pick(school.planes),
      ),
    item: () =>
      run(
        'update maintenance_item set grounding = $2 where organization_id = $1 and resource_id = $3',
        maybe(0.6),
        pick(school.planes),
      ),
    hours: () =>
      run(
        'update resource set flying_day_start_minute = $2, flying_day_end_minute = 1320 where organization_id = $1 and id = $3',
        maybe(0.4) ? 600 : 360,
        pick(school.planes),
      ),
    person: () =>
      run('update membership set grounded = $2 where organization_id = $1 and id = $3', maybe(0.4), member()),
    role: () =>
      run(
        'update membership set instructor = $2 where organization_id = $1 and id = $3',
        maybe(0.7),
        pick(school.instructors),
      ),
    timeOff: () =>
      maybe(0.6)
        ? run(
            `insert into time_off (organization_id, membership_id, starts_at, ends_at)
             values ($1, $2, $3::timestamptz, $3::timestamptz + interval '8 hours')`,
            member(),
            at(),
          )
        : run(
            `delete from time_off where organization_id = $1 and id =
               (select id from time_off where organization_id = $1 order by id limit 1)`,
          ),
    availability: () =>
      maybe(0.5)
        ? run(
            `insert into availability (organization_id, membership_id, day_of_week, start_minute, end_minute)
             values ($1, $2, $3, 480, 1200)`,
            member(),
            1 + Math.floor(random() * 7),
          )
        : run('delete from availability where organization_id = $1 and membership_id = $2', member()),
    closure: () =>
      maybe(0.6)
        ? run(
            `insert into closure (organization_id, starts_at, ends_at, reason, resource_id, created_by)
             select $1, $2::timestamptz, $2::timestamptz + interval '2 hours', 'Fog', $3,
               (select id from membership where organization_id = $1 and admin limit 1)`,
            at(),
            maybe(0.5) ? pick(school.planes) : null,
          )
        : run(
            `delete from closure where organization_id = $1 and id =
               (select id from closure where organization_id = $1 order by id limit 1)`,
          ),
    record: () =>
      run(
        `insert into currency_record (organization_id, currency_id, membership_id, completed_at, expires_at, recorded_by)
         select $1, c.id, $2, $3::timestamptz - interval '1 year', $3, $2 from currency c
         where c.organization_id = $1 and c.name = 'Club check'
         on conflict (organization_id, currency_id, membership_id) do update set expires_at = excluded.expires_at`,
        member(),
        at(),
      ),
    document: () =>
      run(
        `insert into document (organization_id, membership_id, category, title, file_name, content_type, storage_key, upload,
           uploaded_by, expires_at)
         values ($1, $2, 'medical', 'Medical', 'm.pdf', 'application/pdf', gen_random_uuid()::text, 'stored', $2, $3)`,
        member(),
        at(),
      ),
    approval: () =>
      maybe(0.5)
        ? run(
            `delete from resource_approval where organization_id = $1 and id =
               (select id from resource_approval where organization_id = $1 and resource_id = $2 order by id limit 1)`,
            pick(school.planes),
          )
        : run(
            `insert into resource_approval (organization_id, resource_id, membership_id, approved_by)
             values ($1, $2, $3, $3) on conflict do nothing`,
            pick(school.planes),
            pick(school.students),
          ),
    move: () =>
      run(
        `with moved as (
           select r.id, r.starts_at + interval '90 minutes' as starts_at, r.ends_at + interval '75 minutes' as ends_at
           from reservation r where r.organization_id = $1 and r.resource_id = $2 and r.starts_at = $3 and r.live)
         update reservation r set starts_at = moved.starts_at, ends_at = moved.ends_at from moved where r.id = moved.id`,
        pick(school.planes),
        at(),
      ),
    cancel: () =>
      run(
        `update reservation set live = false, cancelled_at = now(), cancelled_by = created_by
         where organization_id = $1 and resource_id = $2 and starts_at = $3 and live`,
        pick(school.planes),
        at(),
      ),
    override: () =>
      run(
        `insert into rule_override (organization_id, reservation_id, rule, membership_id, resource_id, starts_at, reason, overridden_by)
         select $1, r.id, $4, null, r.resource_id, r.starts_at, 'Agreed', r.created_by from reservation r
         where r.organization_id = $1 and r.resource_id = $2 and r.live order by r.starts_at offset $3 limit 1`,
        pick(school.planes),
        Math.floor(random() * school.days * 4),
        pick(['closed_period', 'opening_hours', 'inspection_due']),
      ),
    rules: () =>
      run(
        `update organization set settings = jsonb_set(settings, '{rules}', coalesce(settings -> 'rules', '{}') || $2::jsonb)
         where id = $1`,
        JSON.stringify({
          [pick(['inspection_due', 'endorsement', 'instructor_duty', 'closed_period', 'documents'])]: {
            enforcement: maybe(0.3) ? 'block' : 'warn',
          },
        }),
      ),
    currency: () =>
      run(
        `update currency set enforcement = $2 where organization_id = $1 and name = 'Club check'`,
        maybe(0.3) ? 'block' : 'warn',
      ),
  }
  // Changes that concern the whole school are rare.
  const kind = maybe(0.02) ? pick(['rules', 'currency']) : pick(Object.keys(changes).slice(0, -2))
  await changes[kind]!()
  return kind
}
