import { sql } from 'kysely'
import type { BenchSetup } from '../bench-setup.ts'
import { type Comparison, type Load, requestsPerSecond } from '../measure.ts'
import { type BenchSchool, buildBenchSchool, seedBookings } from '../school.ts'

const MONDAY = new Date('2026-11-23T00:00:00Z')
const WEEK_MS = 7 * 86_400_000
const CLIENTS = 32

/** Compares the schedule in these cases: many requests for one slot, and the searches for openings. */
export async function schedulingScenarios(setup: BenchSetup): Promise<Comparison[]> {
  const api = await setup.serve('api')
  return [await clashStorm(setup, api), await openings(setup, api), await openingsByDay(setup, api)]
}

/**
 * Compares the slowest of 32 answers: of clients that book one slot, and of clients that book free slots. Exactly one of the first 32 must succeed.
 */
async function clashStorm(setup: BenchSetup, api: string): Promise<Comparison> {
  const school = await buildBenchSchool(setup)
  let hour = 0
  return {
    name: 'clash storm, 32 clients for one slot, the slowest answer',
    unit: 'ms',
    floor: '32 bookings of slots that are free',
    aim: { atMost: 50 },
    ours: async () => {
      const start = slot(hour++)
      const storm = await Promise.all(Array.from({ length: CLIENTS }, () => book(api, school, start, 0)))
      const winners = storm.filter(({ status }) => status === 201).length
      if (winners !== 1) throw new Error(`${winners} won one slot`)
      return slowest(storm)
    },
    theirs: async () => {
      const free = Array.from({ length: CLIENTS }, (_, n) => ({
        start: slot(10_000 + hour * 10 + Math.floor(n / 10)),
        lane: n % 10,
      }))
      hour++
      return slowest(await Promise.all(free.map(({ start, lane }) => book(api, school, start, lane))))
    },
  }
}

function slot(hour: number): Date {
  return new Date(Date.UTC(2031, 0, 1) + hour * 3_600_000)
}

function slowest(answers: { ms: number }[]): number {
  return Math.max(...answers.map(({ ms }) => ms))
}

async function book(
  api: string,
  school: BenchSchool,
  start: Date,
  lane: number,
): Promise<{ status: number; ms: number }> {
  const began = performance.now()
  const response = await fetch(`${api}/reservations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${school.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      title: 'Lesson',
      type: 'dual',
      start: start.toISOString(),
      end: new Date(start.getTime() + 3_600_000).toISOString(),
      timeZoneName: 'UTC',
      resource: { id: school.resourceIds[lane] },
      personnel: {
        instructors: [{ orgUserId: school.instructorIds[lane] }],
        students: [{ orgUserId: school.studentIds[lane] }],
      },
    }),
  })
  await response.arrayBuffer()
  return { status: response.status, ms: performance.now() - began }
}

/** Compares the search for openings (ten aircraft and ten instructors, two weeks) with the list of those weeks. */
async function openings(setup: BenchSetup, api: string): Promise<Comparison> {
  const school = await buildBenchSchool(setup)
  const from = new Date(Math.ceil(Date.now() / WEEK_MS) * WEEK_MS)
  await seedBookings(setup, school, { from, weeks: 2, perWeek: 100 })
  const window = `startDate=${from.toISOString()}&endDate=${new Date(from.getTime() + 2 * WEEK_MS).toISOString()}`
  const headers = { authorization: `Bearer ${school.token}` }
  return {
    name: 'openings, 10 aircraft and 2 weeks, one after another',
    unit: 'ms',
    floor: 'our own list of those 2 weeks',
    aim: { atMost: 25 },
    ours: millisecondsOf({ url: `${api}/reservations/openings?${window}&durationMinutes=120&type=dual`, headers }),
    theirs: millisecondsOf({ url: `${api}/reservations?${window}`, headers }),
  }
}

/**
 * Compares "when can this student fly this week" in a school of fifty aircraft and fifty instructors, whose first day is half
 * taken, with the list of that week.
 */
async function openingsByDay(setup: BenchSetup, api: string): Promise<Comparison> {
  const school = await buildBenchSchool(setup, 50)
  const from = new Date(Math.ceil(Date.now() / WEEK_MS) * WEEK_MS)
  await seedBookings(setup, school, { from, weeks: 1, perWeek: 600 })
  const window = `startDate=${from.toISOString()}&endDate=${new Date(from.getTime() + WEEK_MS).toISOString()}`
  const asked = `${window}&durationMinutes=120&type=dual&startsPerDay=8&orgUserId=${school.studentIds[0]}`
  const headers = { authorization: `Bearer ${school.token}` }
  return {
    name: 'openings by day, 50 aircraft and a week, one after another',
    unit: 'ms',
    floor: 'our own list of that week',
    aim: { atMost: 300 },
    ours: millisecondsOf({ url: `${api}/reservations/openings?${asked}`, headers }),
    theirs: millisecondsOf({ url: `${api}/reservations?${window}`, headers }),
  }
}

/** Compares reading a week of 100 bookings in two schools: one with a million bookings and one with 10,000. */
export async function historyScenarios(setup: BenchSetup): Promise<Comparison[]> {
  const api = await setup.serve('api')
  const [young, old] = [await buildBenchSchool(setup), await buildBenchSchool(setup)]
  await withoutConstraints(setup, async () => {
    await seedBookings(setup, young, { from: before(MONDAY, 50), weeks: 100, perWeek: 100 })
    await seedBookings(setup, old, { from: before(MONDAY, 5_000), weeks: 10_000, perWeek: 100 })
  })
  const week = `startDate=${MONDAY.toISOString()}&endDate=${new Date(MONDAY.getTime() + WEEK_MS).toISOString()}`
  const list = (school: BenchSchool) => () =>
    requestsPerSecond({ url: `${api}/reservations?${week}`, headers: { authorization: `Bearer ${school.token}` } })
  return [
    {
      name: 'a week of 100 among 1M rows',
      floor: 'the same week among 10,000',
      aim: { ratio: 0.83 },
      ours: list(old),
      theirs: list(young),
    },
  ]
}

/** Returns a run that gives the milliseconds of a request when one client sends it again and again. */
function millisecondsOf(load: Load) {
  return async () => 1_000 / (await requestsPerSecond({ ...load, connections: 1 }))
}

function before(instant: Date, weeks: number): Date {
  return new Date(instant.getTime() - weeks * WEEK_MS)
}

/**
 * Runs `load` without the exclusion constraints and triggers, and adds them afterwards: one build of an index is faster
 * than a million inserts, and the rows need no marks and no checks of their keys.
 */
async function withoutConstraints(setup: BenchSetup, load: () => Promise<void>): Promise<void> {
  const constraints = await setup.run(sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'x' and conrelid in ('reservation'::regclass, 'seat'::regclass)`)
  for (const { table, name } of constraints) {
    await setup.run(sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`)
  }
  for (const table of ['reservation', 'seat']) await setup.run(sql`alter table ${sql.table(table)} disable trigger all`)
  await load()
  for (const table of ['reservation', 'seat']) await setup.run(sql`alter table ${sql.table(table)} enable trigger all`)
  for (const { table, name, definition } of constraints) {
    await setup.run(sql`alter table ${sql.table(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`)
  }
}
