import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import { sql } from 'kysely'
import { hashPassword } from '../../src/shared/identity/accounts/hash-password.ts'
import type { BenchSetup } from '../bench-setup.ts'
import type { Comparison } from '../measure.ts'
import { buildBenchSchool, firstBookingOf, seedBookings } from '../school.ts'
import { MONDAY } from './reads.ts'

const SIGN_UPS_A_SECOND = 20
const SIGN_INS_A_SECOND = 25
const SECONDS = 5
const PASSWORD = 'clear-prop-runway-28'

/**
 * Compares the event-loop delays (99th percentile, ms) of an API under load and of an idle API, and the times of reads. The
 * load is 20 sign-ups per second with long random names and passwords, or 25 sign-ins.
 */
export async function passwordScenarios(setup: BenchSetup): Promise<Comparison[]> {
  const credentials = { OPS_USER: 'ops', OPS_PASSWORD: 'ops-password' }
  const api = await setup.serve('api', credentials)
  const authorization = `Basic ${btoa('ops:ops-password')}`
  /** Returns the 99th percentile since the last call, in milliseconds. */
  const delay = async () => {
    const text = await (await fetch(`${api}/metrics`, { headers: { authorization } })).text()
    return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1000
  }
  const idle = async () => {
    await delay()
    await pause(SECONDS * 1000)
    return delay()
  }
  const attacked = async () => {
    await delay()
    await steadily(SIGN_UPS_A_SECOND, () => signUp(api))
    return delay()
  }
  return [
    await readsBesideSignIns(setup, api),
    {
      name: 'event-loop delay under 20 hostile sign-ups a second, p99',
      unit: 'ms',
      floor: 'the same without them',
      aim: { atMost: 50 },
      ours: attacked,
      theirs: idle,
    },
  ]
}

/** Compares the 99th percentile of the times of a read beside sign-ins with that of the same read alone. */
async function readsBesideSignIns(setup: BenchSetup, api: string): Promise<Comparison> {
  const school = await buildBenchSchool(setup)
  await seedBookings(setup, school, { from: MONDAY, weeks: 1, perWeek: 100 })
  const id = await firstBookingOf(setup, school)
  const hash = await hashPassword(PASSWORD)
  await setup.run(sql`update account set password_hash = ${hash}`)
  const [person] = await setup.run<{ email: string }>(sql`select email from account order by id limit 1`)
  const read = async () => {
    const headers = { authorization: `Bearer ${school.token}` }
    const load = { url: `${api}/reservations/${id}`, headers, connections: 1, duration: SECONDS }
    return (await autocannon(load)).latency.p99
  }
  return {
    name: `a booking by id beside ${SIGN_INS_A_SECOND} sign-ins a second, p99`,
    unit: 'ms',
    floor: 'the same alone',
    aim: { ratioAtMost: 3 },
    theirs: async () => Math.max(1, await read()),
    async ours() {
      const [figure] = await Promise.all([read(), steadily(SIGN_INS_A_SECOND, () => signIn(api, person!.email))])
      return Math.max(1, figure)
    },
  }
}

/**
 * Sends requests for `SECONDS`, this many a second.
 * @throws Error when one is answered anything else than 200, 201 or 503
 */
async function steadily(aSecond: number, send: () => Promise<number>): Promise<void> {
  const answers: Promise<number>[] = []
  for (let count = 0; count < SECONDS * aSecond; count++) {
    answers.push(send())
    await pause(1000 / aSecond)
  }
  const other = (await Promise.all(answers)).find((status) => ![200, 201, 503].includes(status))
  if (other) throw new Error(`a request was answered ${other}`)
}

async function signIn(api: string, email: string): Promise<number> {
  const response = await fetch(`${api}/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  await response.arrayBuffer()
  return response.status
}

async function signUp(api: string): Promise<number> {
  const response = await fetch(`${api}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: Array.from({ length: 20 }, () => randomBytes(4).toString('hex')).join(' '),
      email: `${randomBytes(20).toString('hex')}@example.com`,
      password: randomBytes(192).toString('base64'),
    }),
  })
  await response.arrayBuffer()
  return response.status
}
