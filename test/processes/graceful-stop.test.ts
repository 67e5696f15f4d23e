import { Agent } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { eventually } from '../support/eventually.ts'
import { flownBy } from '../support/flights.ts'
import { ask } from '../support/kept-connections.ts'
import { startApiProcess, startWorkerProcess } from '../support/processes.ts'
import { expectSameFigures } from '../support/reconcile.ts'

const CLIENTS = 10
const EVERY_MS = 100

describe.each(testedBackends())('SIGTERM under load, queues in %s', (kind) => {
  let env: BillingEnv
  beforeAll(async () => {
    env = await startBilling(kind, { workers: false })
  })
  afterAll(() => env.close())

  test('fails no request that reached the API, on connections that are kept and on new ones', async () => {
    const api = await startApiProcess(env.api.config, { LOG_LEVEL: 'info' })
    const outcomes: string[] = []
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      const agent = client % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : new Agent()
      while (outcomes.at(-1) !== 'ECONNREFUSED') {
        outcomes.push(await ask(`${api.url}/locations`, agent, env.school.student.token))
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS * Math.random() * 2))
      }
      agent.destroy()
    })
    await eventually(
      async () => outcomes.length,
      (count) => count > 100,
    )
    expect(await api.terminate()).toBe(0)
    await Promise.all(clients)
    // TCP resets those who connect in the very moment in which a port closes: no process receives them.
    expect(new Set([...outcomes, 'never accepted'])).toEqual(new Set(['200', 'ECONNREFUSED', 'never accepted']))
    const heard = api.log().match(/"route":"\/locations","status":\d+/g)
    expect(heard).toEqual(outcomes.filter((one) => one === '200').map(() => '"route":"/locations","status":200'))
  })

  test('lets a worker finish the job in hand and settle it', async () => {
    const flight = await flownBy(env.api, env.school, 0)
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: 'hang', seconds: 1 })
    const worker = await startWorkerProcess(env.api.config, {}, ['invoicing'])
    await env.api.call('POST', `/reservations/${flight.id}/invoices`, { token: env.school.admin.token })
    await eventually(
      () => env.simulator.faults(),
      (faults) => faults.length === 0,
    )
    expect(await worker.terminate()).toBe(0)
    const { rows } = await env.api.core.database.pool.query(
      `select status, (select count(*)::int from outbox where job = 'invoices.issue-at-gateway') as owed from invoice`,
    )
    expect(rows).toEqual([{ status: 'open', owed: 0 }])
    await expectSameFigures(env)
  })
})
