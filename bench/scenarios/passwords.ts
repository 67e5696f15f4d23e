import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchSetup } from '../bench-setup.ts'
import type { Comparison } from '../measure.ts'

const SIGN_UPS_A_SECOND = 20
const SECONDS = 5

/**
 * Compares the event-loop delays (99th percentile, ms) of an API under load and of an idle API. The load is 20 sign-ups
 * per second with long random names and passwords.
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
    const answers: Promise<number>[] = []
    for (let count = 0; count < SECONDS * SIGN_UPS_A_SECOND; count++) {
      answers.push(signUp(api))
      await pause(1000 / SIGN_UPS_A_SECOND)
    }
    const delayed = await delay()
    const other = (await Promise.all(answers)).find((status) => status !== 201 && status !== 503)
    if (other) throw new Error(`a sign-up was answered ${other}`)
    return delayed
  }
  return [
    {
      name: 'event-loop delay under 20 hostile sign-ups a second (p99, ms; aim 50 ms)',
      floor: 'the same without them (p99, ms)',
      ours: attacked,
      theirs: idle,
    },
  ]
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
