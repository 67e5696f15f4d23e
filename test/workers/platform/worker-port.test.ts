import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../local/servers/ports.ts'
import { createHealth } from '../../../src/shared/composition/health.ts'
import { createJobMetrics, type JobMetrics } from '../../../src/workers/job-metrics.ts'
import { startWorkerServer, type WorkerServer } from '../../../src/workers/worker-server.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildMember, buildSchool } from '../../support/builders.ts'
import { asOwner } from '../../support/database.ts'
import { startTestWorkers, type TestWorkers } from '../../support/workers.ts'

let api: TestApp
let metrics: JobMetrics
let workers: TestWorkers
let server: WorkerServer | null
let address: string
beforeAll(async () => {
  api = await startTestApp({ realTime: true })
  metrics = createJobMetrics(api.core)
  workers = await startTestWorkers(api, { queues: ['email'], metrics })
  const port = await freePort()
  address = `http://127.0.0.1:${port}`
  server = await startWorkerServer({ ...api.core, config: { ...api.config, WORKER_PORT: port }, log: api.log }, metrics)
})
afterAll(async () => {
  await server?.close()
  await workers.stop()
  await api.close()
})

const right = { authorization: `Basic ${btoa('ops:ops-password')}` }
const status = async (path: string, headers = {}) => (await fetch(`${address}${path}`, { headers })).status

/** The value of a metric with these labels. */
async function value(name: string, labels: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`, { headers: right })).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name}{${labels}}`))
      ?.split(' ')[1] ?? 0,
  )
}

describe('the port of a worker', () => {
  test('tells everybody that it runs and whether it can work, and operators alone what it does', async () => {
    const live = await fetch(`${address}/health/live`)
    expect([live.status, await live.json()]).toEqual([200, { status: 'ok', version: expect.any(String) }])
    expect([await status('/health'), await status('/health/ready')]).toEqual([200, 200])
    expect([await status('/metrics'), await status('/metrics', { authorization: 'Basic b3BzOm9wcw==' })]).toEqual([
      401, 401,
    ])
    expect([await status('/metrics', right), await status('/'), await status('/health/live/x')]).toEqual([
      200, 404, 404,
    ])
  })

  test('counts jobs by kind and outcome, their attempts and how long they were due', async () => {
    const { organizationId } = await buildSchool(api)
    const job = 'accounts.send-mail-token'
    for (let count = 0; count < 2; count++) {
      const { email } = await buildMember(api, organizationId, ['student'])
      await api.call('POST', '/auth/forgot-password', { body: { email } })
    }
    await workers.settled()
    await expect.poll(() => value('flightline_jobs_total', `job="${job}",outcome="done"`)).toBe(2)
    expect(await value('flightline_job_attempts_sum', `job="${job}"`)).toBe(2)
    expect(await value('flightline_job_start_age_seconds_count', `job="${job}"`)).toBe(2)
    expect(await value('flightline_job_seconds_count', `job="${job}"`)).toBe(2)
  })

  test('counts a job that is given up', async () => {
    workers.mailCatcher.faults.add({ recipient: '*', kind: 'refuse', times: 1 })
    const { organizationId } = await buildSchool(api)
    const { email } = await buildMember(api, organizationId, ['student'])
    await api.call('POST', '/auth/forgot-password', { body: { email } })
    await expect
      .poll(() => value('flightline_jobs_total', 'job="accounts.send-mail-token",outcome="given_up"'), {
        timeout: 10_000,
      })
      .toBe(1)
  })

  test('names jobs, outcomes, pools and states: no id, address or organization', async () => {
    const { body } = await metrics.text()
    const labels = [...body.matchAll(/^flightline_\w+\{(.*)\} /gm)].flatMap(([, text = '']) =>
      [...text.matchAll(/(\w+)="/g)].map(([, label]) => label),
    )
    expect(new Set(labels)).toEqual(new Set(['job', 'outcome', 'le', 'part', 'pool', 'state']))
  })

  test('is not ready while a migration of this release is missing or the worker stops', async () => {
    server?.stopping()
    expect([await status('/health/ready'), await status('/health/live')]).toEqual([503, 200])
    const late = await freePort()
    const config = { ...api.config, WORKER_PORT: late }
    await asOwner(api, 'delete from migration where id = (select max(id) from migration)')
    const behind = await startWorkerServer(
      { ...api.core, health: createHealth({ ...api.core, log: api.log }), config, log: api.log },
      metrics,
    )
    expect((await fetch(`http://127.0.0.1:${late}/health/ready`)).status).toBe(503)
    await expect(startWorkerServer({ ...api.core, config, log: api.log }, metrics)).rejects.toThrow(
      `port ${late} is already taken: set WORKER_PORT to a free one`,
    )
    await behind?.close()
  })
})
