import { setTimeout as pause } from 'node:timers/promises'
import type { BenchSetup } from '../bench-setup.ts'
import type { Comparison } from '../measure.ts'
import { type BenchSchool, buildBenchSchool, seedBookings } from '../school.ts'

const BOOKINGS = 200
const MOST_SECONDS = 5
const WEEK_MS = 7 * 86_400_000
const MINUTES = 15

interface Booking {
  id: number
  start: string
  end: string
}

/**
 * Compares two ways of moving 200 bookings: one bulk request, timed until the last booking is moved, and one request
 * per booking, one after another.
 */
export async function bulkScenarios(setup: BenchSetup): Promise<Comparison[]> {
  const api = await setup.serve('api')
  await setup.serve('worker')
  const from = new Date((Math.ceil(Date.now() / WEEK_MS) + 1) * WEEK_MS)
  const school = async () => {
    const built = await buildBenchSchool(setup)
    await seedBookings(setup, built, { from, weeks: 2, perWeek: BOOKINGS / 2 })
    return built
  }
  const [together, singly] = [await school(), await school()]
  const window = { startDate: new Date(from.getTime() - WEEK_MS), endDate: new Date(from.getTime() + 3 * WEEK_MS) }
  return [
    {
      name: `moving ${BOOKINGS} bookings in one request`,
      floor: 'a request for each, one after another',
      aim: { ratio: 1 },
      async ours() {
        const seconds = await secondsOf(() => moveTogether(api, together, window))
        if (seconds > MOST_SECONDS) process.stdout.write(`${seconds.toFixed(1)} s miss the aim of ${MOST_SECONDS} s\n`)
        return BOOKINGS / seconds
      },
      theirs: async () => BOOKINGS / (await secondsOf(() => moveSingly(api, singly, window))),
    },
  ]
}

async function secondsOf(run: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await run()
  return (performance.now() - started) / 1_000
}

async function moveTogether(api: string, school: BenchSchool, filter: object): Promise<void> {
  const action = { move: { minutes: MINUTES } }
  const { id } = await call<{ id: number }>(api, school, 'POST', '/reservations/bulk', { filter, action })
  for (;;) {
    const operation = await call<{ status: string; succeeded: number }>(api, school, 'GET', `/operations/${id}`)
    if (operation.status === 'done' && operation.succeeded === BOOKINGS) return
    if (operation.status === 'done' || operation.status === 'failed') throw new Error(JSON.stringify(operation))
    await pause(20)
  }
}

/** Moves the bookings one by one, the latest first, so that the new time of each booking is free. */
async function moveSingly(api: string, school: BenchSchool, window: { startDate: Date; endDate: Date }): Promise<void> {
  const query = `startDate=${window.startDate.toISOString()}&endDate=${window.endDate.toISOString()}`
  const bookings = await call<Booking[]>(api, school, 'GET', `/reservations?${query}`)
  const later = (instant: string) => new Date(Date.parse(instant) + MINUTES * 60_000).toISOString()
  for (const { id, start, end } of bookings.sort((a, b) => Date.parse(b.start) - Date.parse(a.start))) {
    await call(api, school, 'PATCH', `/reservations/${id}`, { start: later(start), end: later(end) })
  }
}

/** Sends a request as the dispatcher of a school. Returns the data of the answer, if it has any. */
export async function call<T>(
  api: string,
  school: BenchSchool,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${api}${path}`, {
    method,
    headers: { authorization: `Bearer ${school.token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  const text = await response.text()
  return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T
}
