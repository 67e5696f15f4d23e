import { createHash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import type { BenchSetup } from '../bench-setup.ts'
import type { Comparison } from '../measure.ts'
import { type BenchSchool, buildBenchSchool } from '../school.ts'

const CLIENTS = 8
const SECONDS = 2

/** Compares creating a booking through the API with running only the SQL statements of a booking, prepared, in one transaction. */
export async function createScenario(setup: BenchSetup): Promise<Comparison[]> {
  const school = await buildBenchSchool(setup)
  const api = await setup.serve('api')
  const pool = new pg.Pool({ connectionString: setup.databaseUrl, max: CLIENTS })
  setup.atEnd(() => pool.end())
  let slot = 0
  const next = () => slotAt(school, slot++)
  // A school that has been open for a day has statistics. The plans of empty tables would grow slower with each booking.
  for (const book of [() => createThroughApi(api, school, next()), () => createBare(pool, school, next())]) {
    await perSecond(book)
  }
  await setup.run(sql`vacuum analyze`)
  return [
    {
      name: 'creating a booking',
      floor: 'seven prepared statements in one transaction',
      aim: { ratio: 0.45 },
      ours: () => perSecond(() => createThroughApi(api, school, next())),
      theirs: () => perSecond(() => createBare(pool, school, next())),
    },
  ]
}

/** A free hour of an aircraft, with an instructor and a student. */
export interface Slot {
  start: Date
  end: Date
  resourceId: number
  instructorId: number
  studentId: number
}

/** The hours of a flying day. */
const HOURS = 12

/** Returns the free slot with this index. Each hour of a flying day has one slot per aircraft; the indexes fill one hour after another. */
export function slotAt(school: BenchSchool, index: number): Slot {
  const lane = index % school.resourceIds.length
  const hour = Math.floor(index / school.resourceIds.length)
  const start = new Date(Date.UTC(2030, 0, 1 + Math.floor(hour / HOURS), 7 + (hour % HOURS)))
  return {
    start,
    end: new Date(start.getTime() + 3_600_000),
    resourceId: school.resourceIds[lane]!,
    instructorId: school.instructorIds[lane]!,
    studentId: school.studentIds[lane]!,
  }
}

/** Returns how often `clients` clients did something in a second, each one after another. */
export async function perSecond(once: () => Promise<void>, clients = CLIENTS): Promise<number> {
  const until = performance.now() + SECONDS * 1000
  let done = 0
  const client = async () => {
    for (; performance.now() < until; done++) await once()
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: clients }, client))
  return (done * 1000) / (performance.now() - started)
}

/** Books a slot through an API. */
export async function createThroughApi(api: string, school: BenchSchool, slot: Slot): Promise<void> {
  const response = await fetch(`${api}/reservations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${school.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      title: 'Lesson',
      type: 'dual',
      start: slot.start.toISOString(),
      end: slot.end.toISOString(),
      timeZoneName: 'UTC',
      resource: { id: slot.resourceId },
      personnel: { instructors: [{ orgUserId: slot.instructorId }], students: [{ orgUserId: slot.studentId }] },
    }),
  })
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

/** Runs the fewest statements that create a booking: three reads, then inserts of the booking, its seats and the outbox entry. */
async function createBare(pool: pg.Pool, school: BenchSchool, slot: Slot): Promise<void> {
  const { organizationId, dispatcherId } = school
  const { start, end, resourceId, instructorId, studentId } = slot
  const client = await pool.connect()
  const run = (text: string, values: unknown[]) =>
    client.query<{ id: number }>({ name: createHash('md5').update(text).digest('hex'), text, values })
  try {
    await client.query('begin')
    await run('select * from resource where organization_id = $1 and id = $2', [organizationId, resourceId])
    await run(
      'select m.*, a.name from membership m join account a on a.id = m.account_id where m.organization_id = $1 and m.id = any($2)',
      [organizationId, [instructorId, studentId]],
    )
    await run(
      `select reservation_id from seat where organization_id = $1 and membership_id = any($2) and live
        and tstzrange(starts_at, ends_at) && tstzrange($3, $4)`,
      [organizationId, [instructorId, studentId], start, end],
    )
    const { rows } = await run(
      `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, resource_id, created_by)
       values ($1, 'Lesson', 'dual', $2, $3, 'UTC', $4, $5) returning id`,
      [organizationId, start, end, resourceId, dispatcherId],
    )
    await run(
      `insert into seat (organization_id, reservation_id, side, position, membership_id, starts_at, ends_at)
       values ($1, $2, 'instructors', 0, $3, $5, $6), ($1, $2, 'students', 1, $4, $5, $6)`,
      [organizationId, rows[0]!.id, instructorId, studentId, start, end],
    )
    // `available_at` lies far ahead, so that no worker publishes the entry.
    await run(
      `insert into outbox (id, job, organization_id, payload, available_at)
       values (gen_random_uuid(), 'bench', $1, $2, '2999-01-01')`,
      [organizationId, JSON.stringify({ n: randomInt(1e9) })],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}
