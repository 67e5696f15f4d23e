import { setTimeout as pause } from 'node:timers/promises'
import { SECONDS, startMeasuredApi } from '../api-delays.ts'
import type { BenchSetup } from '../bench-setup.ts'
import type { Comparison } from '../measure.ts'
import { type BenchSchool, buildBenchSchool, seedBookings } from '../school.ts'

const WEEK_MS = 7 * 24 * 3_600_000
/** The schools that plan at once, with their aircraft and bookings. */
const SCHOOLS = 50
const [AIRCRAFT, BOOKINGS] = [10, 200]
/** What a school may ask in an hour. It asks all of it in one run, half of it for recoveries and half for slots. */
const ASKED = 20

/**
 * Compares an API whose fifty schools all plan at once with the same API alone: the times of a read by another school, and the delays
 * of the event loop.
 */
export async function planningScenarios(setup: BenchSetup): Promise<Comparison[]> {
  const api = await startMeasuredApi(setup)
  await setup.serve('worker')
  const from = new Date((Math.ceil(Date.now() / WEEK_MS) + 1) * WEEK_MS)
  const schools: BenchSchool[] = []
  while (schools.length < SCHOOLS) {
    const school = await buildBenchSchool(setup, AIRCRAFT)
    await seedBookings(setup, school, { from, weeks: 1, perWeek: BOOKINGS })
    schools.push(school)
  }
  const beside = async (measure: () => Promise<number>) => {
    const [figure, ...answers] = await Promise.all([measure(), ...schools.map((school) => plan(api.url, school, from))])
    if (answers.every(({ recoveries, slots }) => recoveries + slots === 0)) throw new Error('nothing was planned')
    return figure
  }
  const delay = async () => {
    await api.delay()
    await pause(SECONDS * 1000)
    return api.delay()
  }
  const compared = { unit: 'ms', floor: 'the same alone' }
  return [
    {
      ...compared,
      name: `a booking by id beside ${SCHOOLS} schools that plan, p99`,
      aim: { ratioAtMost: 2 },
      ours: () => beside(api.read),
      theirs: api.read,
    },
    {
      ...compared,
      name: `event-loop delay beside ${SCHOOLS} schools that plan, p99`,
      aim: { atMost: 50 },
      ours: () => beside(delay),
      theirs: delay,
    },
  ]
}

/** Asks for recoveries and slots by turns, each after the answer to the last. Returns how many were taken; others had to wait. */
async function plan(api: string, school: BenchSchool, from: Date): Promise<{ recoveries: number; slots: number }> {
  const window = { startDate: from.toISOString(), endDate: new Date(from.getTime() + WEEK_MS).toISOString() }
  const taken = { recoveries: 0, slots: 0 }
  for (let asked = 0; asked < ASKED / 2; asked++) {
    const resourceId = school.resourceIds[asked % AIRCRAFT]!
    const cause = { resourceIds: [resourceId] }
    if (await isTaken(api, school, '/recoveries', { cause, ...window })) taken.recoveries += 1
    const query = new URLSearchParams({ resourceId: String(resourceId), hours: '4', ...window })
    if (await isTaken(api, school, `/maintenance/slots?${query}`)) taken.slots += 1
  }
  return taken
}

/** Sends a request as the dispatcher of a school. Returns whether it was taken, or refused since too many plan. */
async function isTaken(api: string, school: BenchSchool, path: string, body?: object): Promise<boolean> {
  const response = await fetch(`${api}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${school.token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  })
  const text = await response.text()
  if (!response.ok && response.status !== 429 && response.status !== 409)
    throw new Error(`${path}: ${response.status} ${text}`)
  return response.ok
}
