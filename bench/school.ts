import { sql } from 'kysely'
import type { Role } from '../src/shared/platform/authz/roles.ts'
import { cents } from '../src/shared/platform/kernel/units.ts'
import { buildMembers, buildPlane, buildSchool } from '../test/support/builders.ts'
import type { BenchSetup } from './bench-setup.ts'

/** A school with as many instructors as aircraft, with access tokens of its dispatcher (`token`) and its admin. */
export interface BenchSchool {
  organizationId: number
  resourceIds: number[]
  instructorIds: number[]
  studentIds: number[]
  dispatcherId: number
  token: string
  adminToken: string
  /** Returns this many tokens of different sign-ins, of all its members in turn. */
  sessions(count: number): Promise<string[]>
}

/** Builds the school of the tests with `size` planes, `size` instructors, and three times as many students. */
export async function buildBenchSchool({ place }: BenchSetup, size = 10): Promise<BenchSchool> {
  const school = await buildSchool(place)
  const { organizationId, plane, instructor, student, dispatcher, admin } = school
  const more = (role: Role, count: number) => buildMembers(place, organizationId, Array<Role[]>(count).fill([role]))
  const instructors = [instructor, ...(await more('instructor', size - 1))]
  const students = [student, ...(await more('student', 3 * size - 1))]
  const everybody = [admin, dispatcher, ...instructors, ...students]
  const planes = [plane]
  while (planes.length < size) planes.push(await buildPlane(place, school))
  await place.core.database.db
    .updateTable('membership')
    .set({ flight_rate_cents: cents(6_000) })
    .where('organization_id', '=', organizationId)
    .execute()
  return {
    organizationId,
    resourceIds: planes.map(({ id }) => id),
    instructorIds: instructors.map(({ orgUserId }) => orgUserId),
    studentIds: students.map(({ orgUserId }) => orgUserId),
    dispatcherId: dispatcher.orgUserId,
    token: dispatcher.token,
    adminToken: admin.token,
    sessions: (count) =>
      Promise.all(
        Array.from({ length: count }, async (_, n) => {
          const { accountId, orgUserId } = everybody[n % everybody.length]!
          const claims = { accountId, organizationId, membershipId: orgUserId }
          return (await place.core.tokens.issue(claims, new Date(Date.now() - n * 1_000))).token
        }),
      ),
  }
}

/**
 * Inserts one-hour dual bookings directly into the tables: `perWeek` in each week from `from` on, spread over the
 * aircraft. Then collects the statistics that PostgreSQL would have of them within a minute.
 */
export async function seedBookings(
  setup: BenchSetup,
  school: BenchSchool,
  options: { from: Date; weeks: number; perWeek: number },
): Promise<void> {
  const { organizationId, resourceIds, instructorIds, studentIds, dispatcherId } = school
  const lanes = resourceIds.length
  await setup.run(sql`
    with slot as (
      select w, n, ${options.from}::timestamptz + make_interval(weeks => w, hours => (n / ${lanes}::int)) as starts_at,
        n % ${lanes}::int as lane
      from generate_series(0, ${options.weeks - 1}) w, generate_series(0, ${options.perWeek - 1}) n
    ), made as (
      insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, resource_id, created_by)
      select ${organizationId}, 'Lesson ' || n, 'dual', starts_at, starts_at + interval '1 hour', 'UTC',
        (${resourceIds}::int[])[lane + 1], ${dispatcherId}
      from slot returning organization_id, id, starts_at, ends_at, resource_id
    ), numbered as (select *, array_position(${resourceIds}::int[], resource_id) as lane from made)
    insert into seat (organization_id, reservation_id, side, position, membership_id, starts_at, ends_at)
    select organization_id, id, 'instructors', 0, (${instructorIds}::int[])[lane], starts_at, ends_at from numbered
    union all
    select organization_id, id, 'students', 1, (${studentIds}::int[])[lane], starts_at, ends_at from numbered`)
  await setup.run(sql`vacuum analyze`)
}

/** Returns the id of the first booking of a school. */
export async function firstBookingOf({ database: { db } }: BenchSetup, school: BenchSchool): Promise<number> {
  const { id } = await db
    .selectFrom('reservation')
    .select('id')
    .where('organization_id', '=', school.organizationId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}
