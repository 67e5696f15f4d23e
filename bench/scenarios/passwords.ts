import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { hashPassword } from '../../src/shared/identity/accounts/hash-password.ts'
import { type MeasuredApi, SECONDS, startMeasuredApi } from '../api-delays.ts'
import type { BenchSetup } from '../bench-setup.ts'
import type { Comparison } from '../measure.ts'

const SIGN_UPS_A_SECOND = 20
const SIGN_INS_A_SECOND = 25
const PASSWORD = 'clear-prop-runway-28'

/**
 * Compares the event-loop delays (99th percentile, ms) of an API under load and of an idle API, and the times of reads. The
 * load is 20 sign-ups per second with long random names and passwords, or 25 sign-ins.
 */
export async function passwordScenarios(setup: BenchSetup): Promise<Comparison[]> {
  const api = await startMeasuredApi(setup)
  const idle = async () => {
    await api.delay()
    await pause(SECONDS * 1000)
    return api.delay()
  }
  const attacked = async () => {
    await api.delay()
    await steadily(SIGN_UPS_A_SECOND, () => signUp(api.url))
    return api.delay()
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
async function readsBesideSignIns(setup: BenchSetup, api: MeasuredApi): Promise<Comparison> {
  const hash = await hashPassword(PASSWORD)
  await setup.run(sql`update account set password_hash = ${hash}`)
  const [person] = await setup.run<{ email: string }>(sql`select email from account order by id limit 1`)
  return {
    name: `a booking by id beside ${SIGN_INS_A_SECOND} sign-ins a second, p99`,
    unit: 'ms',
    floor: 'the same alone',
    aim: { ratioAtMost: 3 },
    theirs: api.read,
    async ours() {
      const [figure] = await Promise.all([
        api.read(),
        steadily(SIGN_INS_A_SECOND, () => signIn(api.url, person!.email)),
      ])
      return figure
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
