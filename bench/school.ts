import { sql } from 'kysely'
import { cents } from '../src/shared/platform/kernel/units.ts'
import type { BenchSetup } from './bench-setup.ts'

/**
 * A school of ten aircraft, ten instructors and thirty students, with access tokens of its dispatcher (`token`) and
 * its admin.
 */
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

/** Inserts a school directly into the tables. */
export async function buildBenchSchool({ database: { db }, tokenFor }: BenchSetup): Promise<BenchSchool> {
  const { id: organizationId } = await db
    .insertInto('organization')
    .values({
      name: 'Bench Flight Academy',
      organization_type: 'flight_school',
      time_zone_name: 'UTC',
      details: { email: 'desk@bench.example', phone: '1', address: {} },
      code: `${Math.random()
        .toString(36)
        .replace(/[^a-z2-9]/g, '')
        .slice(0, 4)
        .toUpperCase()
        .padEnd(4, 'A')}ZZ`,
      settings: {},
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const location = await db
    .insertInto('location')
    .values({ organization_id: organizationId, name: 'Base', time_zone_name: 'UTC', address: {} })
    .returning('id')
    .executeTakeFirstOrThrow()
  const members = async (role: 'admin' | 'dispatcher' | 'instructor' | 'student', count: number) => {
    const people = Array.from({ length: count }, (_, index) => `${role} ${index}`)
    const accounts = await db
      .insertInto('account')
      .values(
        people.map((name) => ({
          name,
          email: `${name.replace(' ', '.')}.${organizationId}@example.com`,
          password_hash: '-',
          email_verified_at: new Date(),
          tokens_valid_from: new Date(0),
        })),
      )
      .returning('id')
      .execute()
    return db
      .insertInto('membership')
      .values(
        accounts.map((account) => ({
          organization_id: organizationId,
          account_id: account.id,
          [role]: true,
          flight_rate_cents: cents(6_000),
        })),
      )
      .returning(['id', 'account_id'])
      .execute()
  }
  const [admin] = await members('admin', 1)
  const [dispatcher] = await members('dispatcher', 1)
  const instructors = await members('instructor', 10)
  const students = await members('student', 30)
  const tokenOf = (member: { id: number; account_id: number | null }, issuedAt = new Date()) =>
    tokenFor({ accountId: member.account_id ?? 0, organizationId, membershipId: member.id }, issuedAt)
  const everybody = [admin!, dispatcher!, ...instructors, ...students]
  const resources = await db
    .insertInto('resource')
    .values(
      Array.from({ length: 10 }, (_, index) => ({
        organization_id: organizationId,
        name: `N${index}FL`,
        kind: 'plane' as const,
        location_id: location.id,
        traits: {},
        wet_rate_cents: cents(18_000),
      })),
    )
    .returning('id')
    .execute()
  return {
    organizationId,
    resourceIds: resources.map((row) => row.id),
    instructorIds: instructors.map((row) => row.id),
    studentIds: students.map((row) => row.id),
    dispatcherId: dispatcher!.id,
    token: await tokenOf(dispatcher!),
    adminToken: await tokenOf(admin!),
    sessions: (count) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          tokenOf(everybody[n % everybody.length]!, new Date(Date.now() - n * 1_000)),
        ),
      ),
  }
}

/**
 * Inserts one-hour dual bookings directly into the tables: `perWeek` in each week from `from` on, spread over the ten
 * aircraft.
 */
export async function seedBookings(
  setup: BenchSetup,
  school: BenchSchool,
  options: { from: Date; weeks: number; perWeek: number },
): Promise<void> {
  const { organizationId, resourceIds, instructorIds, studentIds, dispatcherId } = school
  await setup.run(sql`
    with slot as (
      select w, n, ${options.from}::timestamptz + make_interval(weeks => w, hours => (n / 10)) as starts_at, n % 10 as lane
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
