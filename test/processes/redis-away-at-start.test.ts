import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { eventually } from '../support/eventually.ts'
import { flownBy } from '../support/flights.ts'
import { type ApiProcess, startApiProcess, startWorkerProcess } from '../support/processes.ts'
import { expectSameFigures } from '../support/reconcile.ts'

describe.runIf(testedBackends().includes('redis'))('an API that starts while Redis is away', () => {
  let env: BillingEnv
  beforeAll(async () => {
    env = await startBilling('redis', { workers: false })
  })
  afterAll(() => env.close())

  const operator = { authorization: `Basic ${Buffer.from('ops:ops-password').toString('base64')}` }
  const queueOf = async ({ url }: ApiProcess) =>
    ((await (await fetch(`${url}/ops/health`, { headers: operator })).json()) as { queue: string }).queue
  const start = () => startApiProcess(env.api.config, { LOG_LEVEL: 'info' })

  test('serves, counts requests itself, and takes the queues up when Redis is back', async () => {
    const flight = await flownBy(env.api, env.school, 0)
    await env.backend.redis!.kill()
    await expect(startWorkerProcess(env.api.config)).rejects.toThrow('cannot start: Redis cannot be reached')
    const api = await start()
    expect((await fetch(`${api.url}/health/ready`)).status).toBe(200)
    expect((await fetch(`${api.url}/metrics`, { headers: operator })).status).toBe(200)
    expect((await fetch(`${api.url}/ops/queues/api/queues`, { headers: operator })).status).toBeGreaterThanOrEqual(500)
    const billed = await fetch(`${api.url}/reservations/${flight.id}/invoices`, {
      method: 'POST',
      headers: { authorization: `Bearer ${env.school.admin.token}` },
    })
    expect(billed.status).toBe(200)
    expect(Number(billed.headers.get('ratelimit-remaining'))).toBeGreaterThan(0)
    expect(await queueOf(api)).toBe('unavailable')
    expect(api.log()).toContain('"queue":"unavailable"')

    await env.backend.redis!.restart()
    await eventually(
      () => queueOf(api),
      (queue) => queue === 'ok',
    )
    expect((await fetch(`${api.url}/ops/queues/api/queues`, { headers: operator })).status).toBe(200)
    const worker = await startWorkerProcess(env.api.config, { SMTP_URL: env.workers.mailCatcher.smtpUrl })
    await env.workers.settled()
    await expectSameFigures(env)
    expect((await env.simulator.everything()).invoices.map(({ status }) => status)).toEqual(['open'])
    expect(await worker.terminate()).toBe(0)
    expect(await api.terminate()).toBe(0)
  })

  test('says what is wrong with a Redis that comes back evicting keys, and uses it when that is mended', async () => {
    await env.backend.redis!.kill()
    const [first, second] = [await start(), await start()]
    expect(await first.terminate(), 'stops while Redis is away').toBe(0)
    await env.backend.redis!.restart({ 'maxmemory-policy': 'allkeys-lru' })
    await eventually(
      async () => second.log(),
      (log) => log.includes('REDIS_URL: Redis evicts keys (maxmemory-policy allkeys-lru)'),
    )
    expect(await queueOf(second)).toBe('unavailable')
    await expect(start(), 'the next one').rejects.toThrow('flightline: REDIS_URL: Redis evicts keys')
    const client = new Redis(env.backend.redis!.url)
    await client.config('SET', 'maxmemory-policy', 'noeviction')
    client.disconnect()
    await eventually(
      () => queueOf(second),
      (queue) => queue === 'ok',
    )
    expect(await second.terminate()).toBe(0)
  })
})
