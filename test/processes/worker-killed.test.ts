import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { endClaims } from '../support/deliveries.ts'
import { eventually, until } from '../support/eventually.ts'
import { type FlownFlight, flownBy } from '../support/flights.ts'
import { holdRow } from '../support/held-row.ts'
import { startWorkerProcess, type TestProcess } from '../support/processes.ts'
import { expectSameFigures } from '../support/reconcile.ts'

/** Where the processor holds a worker: with nothing made yet, the customer made, the draft made, its items made. */
const HOLDS = [
  'POST /v1/customers',
  'POST /v1/invoices',
  'POST /v1/invoices/:id/add_lines',
  'POST /v1/invoices/:id/finalize',
]
const RANDOM_KILLS = 3

describe.each(testedBackends())('a worker that is killed, queues in %s', (kind) => {
  let env: BillingEnv
  beforeAll(async () => {
    env = await startBilling(kind, { workers: false, env: { WORKER_CONCURRENCY: '20' } })
  })
  afterAll(() => env.close())

  const startWorker = () => startWorkerProcess(env.api.config, {}, ['invoicing'])

  /** Writes the invoice of a flight and hands its job over; answers the invoice's id. */
  async function bill({ id }: FlownFlight): Promise<number> {
    const answer = await env.api.call('POST', `/reservations/${id}/invoices`, { token: env.school.admin.token })
    expect(answer.json()).toMatchObject({ data: [{ status: 'pending' }] })
    return answer.json().data[0].id
  }

  test('in the middle of invoicing, at whichever step, leaves one invoice, which another worker completes', async () => {
    const flights: FlownFlight[] = []
    for (let day = 0; day <= HOLDS.length; day++) flights.push(await flownBy(env.api, env.school, day))
    for (const [step, match] of HOLDS.entries()) {
      await env.simulator.fault({ match, kind: 'hang', seconds: 2, customerEmail: flights[step]!.student.email })
    }
    const invoices = await Promise.all(flights.map(bill))
    // The last one is held after the processor has finalized it, at our own commit.
    const held = await holdRow(env.api, 'invoice', invoices.at(-1)!)
    const victim = await startWorker()
    await eventually(
      () => heldWorkers(env),
      (held) => held === HOLDS.length,
    )
    await until(held.waitedFor)
    await victim.kill()
    await held.release()
    await endClaims(env.api.core.database.pool)

    const second = await startWorker()
    await eventually(
      () => statuses(env),
      (all) => all.length === flights.length && all.every((one) => one === 'open'),
    )
    await expectSameFigures(env)
    expect(await second.terminate()).toBe(0)
  })

  test('again and again at random instants loses nothing and doubles nothing', async () => {
    const flights: FlownFlight[] = []
    for (let day = 10; day < 22; day++) flights.push(await flownBy(env.api, env.school, day))
    // Every call takes a moment, so that a kill meets the work.
    await env.simulator.fault({ match: '*', kind: 'hang', seconds: 0.05, times: 1_000_000 })
    const bills = flights.map(bill)
    let worker: TestProcess | undefined
    for (let kill = 0; kill < RANDOM_KILLS; kill++) {
      worker = await startWorker()
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 500))
      await worker.kill()
    }
    await Promise.all(bills)
    await endClaims(env.api.core.database.pool)
    worker = await startWorker()
    await eventually(
      () => statuses(env),
      (all) => all.every((one) => one === 'open'),
    )
    await expectSameFigures(env)
    await worker.terminate()
  })
})

/** How many of the faults that were set have met their request. */
async function heldWorkers({ simulator }: BillingEnv): Promise<number> {
  return HOLDS.length - (await simulator.faults()).length
}

async function statuses({ api }: BillingEnv): Promise<string[]> {
  const { rows } = await api.core.database.pool.query<{ status: string }>('select status from invoice')
  return rows.map(({ status }) => status)
}
