import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestRedis, testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { eventually } from '../support/eventually.ts'
import { type FlownFlight, flownBy } from '../support/flights.ts'
import { startWorkerProcess } from '../support/processes.ts'
import { expectSameFigures } from '../support/reconcile.ts'

describe.runIf(testedBackends().includes('redis'))('a Redis that is killed and comes back empty', () => {
  let env: BillingEnv
  let redis: TestRedis
  beforeAll(async () => {
    env = await startBilling('redis', { workers: false })
    redis = env.backend.redis!
  })
  afterAll(() => env.close())

  async function bill({ id }: FlownFlight) {
    const answer = await env.api.call('POST', `/reservations/${id}/invoices`, { token: env.school.admin.token })
    return { status: answer.statusCode, data: answer.json().data }
  }

  const operator = { authorization: `Basic ${Buffer.from('ops:ops-password').toString('base64')}` }
  const health = async () => (await env.api.call('GET', '/ops/health', { headers: operator })).json()

  test('fails no request, and what was owed before and meanwhile is done once', async () => {
    const [before, meanwhile] = [await flownBy(env.api, env.school, 0), await flownBy(env.api, env.school, 1)]
    expect(await bill(before)).toMatchObject({ status: 200, data: [{ status: 'pending' }] })
    await env.api.core.relay.drain()

    await redis.kill()
    await eventually(health, ({ queue }) => queue === 'unavailable')
    expect((await env.api.call('GET', '/health/ready')).statusCode).toBe(200)
    expect((await env.api.call('GET', '/metrics', { headers: operator })).statusCode).toBe(200)
    expect(await bill(meanwhile)).toMatchObject({ status: 200, data: [{ status: 'pending' }] })
    await redis.restart()
    await eventually(health, ({ queue }) => queue === 'ok')

    const worker = await startWorkerProcess(env.api.config, { SMTP_URL: env.workers.mailCatcher.smtpUrl })
    await env.workers.settled()
    await expectSameFigures(env)
    const { invoices } = await env.simulator.everything()
    expect(invoices.map(({ status }) => status)).toEqual(['open', 'open'])
    for (const { student } of [before, meanwhile]) expect(notifiedOfInvoices(student.email)).toHaveLength(1)

    // The same worker, without a restart.
    const last = await flownBy(env.api, env.school, 2)
    await redis.kill()
    expect((await bill(last)).status).toBe(200)
    await redis.restart()
    await env.workers.settled()
    await expectSameFigures(env)
    expect(notifiedOfInvoices(last.student.email)).toHaveLength(1)
    expect(await worker.terminate()).toBe(0)
  })

  function notifiedOfInvoices(address: string) {
    return env.workers.mails(address).filter(({ subject }) => /invoice/i.test(subject))
  }
})
