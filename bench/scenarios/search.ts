import { sql } from 'kysely'
import type { BenchSetup } from '../bench-setup.ts'
import { buildBenchSchool } from '../school.ts'

/** The scale of the school and of its neighbour; `SEARCH_SCALE` below 1 makes both smaller. */
const SCALE = Number(process.env.SEARCH_SCALE ?? 1)
const MEMBERS = Math.round(10_000 * SCALE)
const BOOKINGS = Math.round(100_000 * SCALE)
const NEIGHBOURS_BOOKINGS = Math.round(1_000_000 * SCALE)
const ROUNDS = 20

/**
 * Queries that a front desk types: names, parts, typos, tail numbers, common and rare words of titles, and words that
 * match nothing.
 */
const queries = [
  ...['maria', 'maria lopez', 'marai lopez', 'Lopez', 'sc', 'ma', 'schmitd', 'student', 'olga petrov 77'],
  ...['N734', 'N734FL', 'N743FL', 'skyhawk', 'skyhwak', '4242', '#4242'],
  ...['lesson', 'lesosn', 'lesson 4321', 'steep turns', 'stalls', 'checkride', 'checkrdie', 'maintenance 100 hour'],
  ...['zzyzx', 'qwertyuiop', 'le', 'private pilot', 'prvate pilto'],
]

const first = ['Maria', 'Olga', 'Peter', 'Hanna', 'John', 'Ana', 'Sven', 'Yuki', 'Omar', 'Li', 'Ivan', 'Grace']
const last = ['Lopez', 'Schmidt', 'Petrov', 'Tanaka', 'Okafor', 'Haddad', 'Nguyen', 'Rossi', 'Silva', 'Novak', 'Kim']
const subjects = ['steep turns', 'stalls', 'landings', 'cross-country', 'night', 'instruments', 'radio work', 'spins']

/**
 * Prints the median and 95th percentile of GET /search in a school of 10⁵ bookings and 10⁴ members. The same database
 * holds a school of 10⁶ bookings. Prints those of GET /locations too: its requests alternate with the searches and show
 * how busy the machine is. Returns no comparison.
 */
export async function searchScenarios(setup: BenchSetup): Promise<[]> {
  const school = await buildSchools(setup)
  const api = await setup.serve('api')
  const headers = { authorization: `Bearer ${school.adminToken}` }
  const cut = new Set<string>()
  const times: { q: string; ms: number }[] = []
  const floor: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    for (const q of queries) {
      const start = performance.now()
      const response = await fetch(`${api}/search?${new URLSearchParams({ q })}`, { headers })
      await response.arrayBuffer()
      if (response.status === 503) cut.add(q)
      else if (response.status !== 200) throw new Error(`search of ${q}: ${response.status}`)
      if (round > 0) times.push({ q, ms: performance.now() - start })
      const begun = performance.now()
      await (await fetch(`${api}/locations`, { headers })).arrayBuffer()
      if (round > 0) floor.push(performance.now() - begun)
    }
  }
  const at = (part: number, some: number[]) => [...some].sort((a, b) => a - b)[Math.floor(part * some.length)] ?? 0
  const worst = queries
    .map((q) => ({
      q,
      ms: at(
        0.5,
        times.filter((time) => time.q === q).map(({ ms }) => ms),
      ),
    }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 5)
  const all = times.map(({ ms }) => ms)
  process.stdout.write(
    `search, ${BOOKINGS} bookings and ${MEMBERS} members beside ${NEIGHBOURS_BOOKINGS} bookings: ` +
      `median ${at(0.5, all).toFixed(1)} ms, p95 ${at(0.95, all).toFixed(1)} ms, aim 50 ms; GET /locations in turn with it: ` +
      `median ${at(0.5, floor).toFixed(1)} ms, p95 ${at(0.95, floor).toFixed(1)} ms; the slowest: ` +
      `${worst.map(({ q, ms }) => `${q} ${ms.toFixed(0)} ms`).join(', ')}; cut off at 300 ms: ${[...cut].join(', ') || 'none'}\n`,
  )
  return []
}

/** Builds the school and its neighbour; the text indexes are built last. Returns the school. */
export async function buildSchools(setup: BenchSetup) {
  const neighbour = await buildBenchSchool(setup)
  const school = await buildBenchSchool(setup)
  for (const index of ['reservation_text', 'membership_text']) await setup.run(sql`drop index ${sql.ref(index)}`)
  await setup.run(sql`update account set name = name || ' ' || id`)
  await fill(setup, neighbour, MEMBERS, NEIGHBOURS_BOOKINGS)
  await fill(setup, school, MEMBERS, BOOKINGS)
  await setup.run(sql`create index membership_text on membership
    using gin (organization_id, search_name gin_trgm_ops, search_email gin_trgm_ops) with (gin_pending_list_limit = 256)`)
  await setup.run(sql`create index reservation_text on reservation
    using gin (organization_id, title gin_trgm_ops, notes gin_trgm_ops) with (gin_pending_list_limit = 256)`)
  await setup.run(sql`vacuum analyze`)
  return school
}

/** Adds members, tail numbers, courses, and bookings with one student each. One booking in ten is invoiced. */
async function fill(
  setup: BenchSetup,
  school: Awaited<ReturnType<typeof buildBenchSchool>>,
  members: number,
  bookings: number,
): Promise<void> {
  const { organizationId, resourceIds, dispatcherId } = school
  await setup.run(sql`
    with made as (
      insert into account (name, email, password_hash, tokens_valid_from)
      select (${first}::text[])[1 + n % ${first.length}] || ' ' || (${last}::text[])[1 + (n / 12) % ${last.length}]
        || ' ' || n, 'm' || n || '.' || ${organizationId} || '@example.com', '-', 'epoch'
      from generate_series(1, ${members}::int) n returning id)
    insert into membership (organization_id, account_id, student) select ${organizationId}, id, true from made`)
  await setup.run(sql`update resource set name = 'N73' || id || 'FL', tail_number = 'N73' || id || 'FL', make = 'Cessna',
    model = '172S Skyhawk' where organization_id = ${organizationId}`)
  await setup.run(sql`insert into training_course (organization_id, name)
    select ${organizationId}, 'Private pilot ' || n from generate_series(1, 20) n`)
  await setup.run(sql`
    with person as (
      select id, row_number() over (order by id) - 1 as n from membership
      where organization_id = ${organizationId} and student
    ), made as (
      insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, resource_id, created_by)
      select ${organizationId}, case when n % 500 = 0 then 'Checkride ' || n when n % 97 = 0 then 'Maintenance 100 hour'
          else 'Lesson ' || n || ': ' || (${subjects}::text[])[1 + n % ${subjects.length}] end,
        'dual', t.starts_at, t.starts_at + interval '1 hour', 'UTC', (${resourceIds}::int[])[1 + n % 10], ${dispatcherId}
      from generate_series(0, ${bookings - 1}::int) n
      cross join lateral (select '2015-01-01Z'::timestamptz + make_interval(hours => n / 10) as starts_at) t
      returning id, starts_at, ends_at)
    insert into seat (organization_id, reservation_id, side, position, membership_id, starts_at, ends_at)
    select ${organizationId}, m.id, 'students', 0, p.id, m.starts_at, m.ends_at
    from (select *, row_number() over (order by id) as n from made) m
    join person p on p.n = m.n % (select count(*) from person)`)
  await setup.run(sql`insert into invoice (organization_id, number, status, membership_id, total_cents, currency)
    select ${organizationId}, row_number() over (order by s.id), 'open', s.membership_id, 18500, 'usd'
    from seat s where s.organization_id = ${organizationId} and s.reservation_id % 10 = 0`)
}
