import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { BenchSetup } from '../bench-setup.ts'
import type { Comparison } from '../measure.ts'
import { type BenchSchool, buildBenchSchool, seedBookings } from '../school.ts'
import { call } from './bulk.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
/** Of the school whose places are offered: its aircraft, and the hours in which all of them are booked. */
const AIRCRAFT = 10
const HOURS = 10
const CANCELLED = 10
const MOST_OFFER_MS = 5_000
const MOST_PLAN_MS = 10_000

/** Measures how long a place that becomes free waits for its offer, and a recovery for its plan. */
export async function recoveryScenarios(setup: BenchSetup): Promise<Comparison[]> {
  const api = await setup.serve('api')
  await setup.serve('worker')
  return [offers(setup, api), recovery(setup, api, 30, 12), recovery(setup, api, 200, 40)]
}

/** Members wait, and the desk cancels bookings one after another: the time from the answer to the offer. */
function offers(setup: BenchSetup, api: string): Comparison {
  return {
    name: `offers, from a cancellation to the offer, the slowest of ${CANCELLED}`,
    unit: 'ms',
    aim: { atMost: MOST_OFFER_MS },
    ours: async () => {
      const school = await schoolWith(setup, AIRCRAFT, AIRCRAFT * HOURS)
      // The hours in which every aircraft and instructor is booked, so that the only free places are the cancelled ones.
      const window = { start: school.from, end: new Date(school.from.getTime() + HOURS * HOUR_MS) }
      for (const orgUserId of school.studentIds.slice(-CANCELLED)) {
        const entry = {
          orgUserId,
          type: 'dual',
          durationMinutes: 60,
          windows: [window],
          resourceIds: school.resourceIds,
        }
        await call(api, school, 'POST', '/waitlist', entry)
      }
      const booked = await bookingsOf(setup, school)
      let slowest = 0
      for (const id of booked.slice(0, CANCELLED)) {
        const before = await countOffers(setup, school)
        await call(api, school, 'DELETE', `/reservations/${id}`, { reason: 'Ill', category: 'student' })
        slowest = Math.max(slowest, await until(async () => (await countOffers(setup, school)) > before))
      }
      return slowest
    },
  }
}

/** One instructor of each aircraft is away: the time from the request to the plan. */
function recovery(setup: BenchSetup, api: string, displaced: number, size: number): Comparison {
  return {
    name: `recovery, ${displaced} displaced of ${size} aircraft, until the plan is ready`,
    unit: 'ms',
    aim: { atMost: MOST_PLAN_MS },
    runs: 3,
    ours: async () => {
      const school = await schoolWith(setup, size, size * 20)
      const reservationIds = (await bookingsOf(setup, school)).slice(0, displaced)
      const body = {
        cause: { reservationIds },
        startDate: school.from,
        endDate: new Date(school.from.getTime() + WEEK_MS),
        reach: { pools: 'approved' },
      }
      const started = performance.now()
      const { id } = await call<{ id: number }>(api, school, 'POST', '/recoveries', body)
      await until(async () => {
        const { status } = await call<{ status: string }>(api, school, 'GET', `/recoveries/${id}`)
        if (status === 'ended') throw new Error(`the recovery ${id} has no plan`)
        return status === 'ready'
      })
      return performance.now() - started
    },
  }
}

/** Builds a school without quiet hours whose aircraft are booked in the week after next. */
async function schoolWith(setup: BenchSetup, size: number, perWeek: number): Promise<BenchSchool & { from: Date }> {
  const school = await buildBenchSchool(setup, size)
  const from = new Date((Math.ceil(Date.now() / WEEK_MS) + 1) * WEEK_MS)
  await setup.run(sql`update organization set settings = settings || '{"quietHours": null}'::jsonb
    where id = ${school.organizationId}`)
  await seedBookings(setup, school, { from, weeks: 1, perWeek })
  return { ...school, from }
}

async function bookingsOf(setup: BenchSetup, { organizationId }: BenchSchool): Promise<number[]> {
  const rows = await setup.run(sql<{ id: number }>`
    select id from reservation where organization_id = ${organizationId} order by starts_at, id`)
  return rows.map(({ id }) => id)
}

async function countOffers(setup: BenchSetup, { organizationId }: BenchSchool): Promise<number> {
  const [row] = await setup.run(sql<{ made: number }>`
    select count(*)::int as made from offer where organization_id = ${organizationId}`)
  return row!.made
}

/** Returns the milliseconds until something is so. */
async function until(isSo: () => Promise<boolean>): Promise<number> {
  const started = performance.now()
  while (!(await isSo())) {
    if (performance.now() - started > 60_000) throw new Error('it is not so after a minute')
    await pause(20)
  }
  return performance.now() - started
}
