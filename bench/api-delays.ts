import autocannon from 'autocannon'
import type { BenchSetup } from './bench-setup.ts'
import { MONDAY } from './scenarios/reads.ts'
import { buildBenchSchool, firstBookingOf, seedBookings } from './school.ts'

/** The length of a measurement. */
export const SECONDS = 5

const USER = 'ops'
const PASSWORD = 'ops-password'

/** An API whose delays are measured. */
export interface MeasuredApi {
  url: string
  /** Returns the 99th percentile of the event-loop delays since the last call, in milliseconds. */
  delay(): Promise<number>
  /** Reads a booking for `SECONDS`, one request after another. Returns the 99th percentile of the times, in milliseconds. */
  read(): Promise<number>
}

/** Starts an API, and builds a school with a booking that is read. */
export async function startMeasuredApi(setup: BenchSetup): Promise<MeasuredApi> {
  const url = await setup.serve('api', { OPS_USER: USER, OPS_PASSWORD: PASSWORD })
  const authorization = `Basic ${btoa(`${USER}:${PASSWORD}`)}`
  const school = await buildBenchSchool(setup)
  await seedBookings(setup, school, { from: MONDAY, weeks: 1, perWeek: 100 })
  const id = await firstBookingOf(setup, school)
  return {
    url,
    async delay() {
      const text = await (await fetch(`${url}/metrics`, { headers: { authorization } })).text()
      return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1000
    },
    async read() {
      const headers = { authorization: `Bearer ${school.token}` }
      const load = { url: `${url}/reservations/${id}`, headers, connections: 1, duration: SECONDS }
      return Math.max(1, (await autocannon(load)).latency.p99)
    },
  }
}
