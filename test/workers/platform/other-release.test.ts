import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runOperation } from '../../../src/shared/platform/operations/operations.jobs.ts'
import { createJobMetrics, type JobMetrics } from '../../../src/workers/job-metrics.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildSchool } from '../../support/builders.ts'
import { until } from '../../support/eventually.ts'
import { startTestWorkers, type TestWorkers } from '../../support/workers.ts'

let api: TestApp
let metrics: JobMetrics
let workers: TestWorkers
beforeAll(async () => {
  api = await startTestApp({ realTime: true })
  metrics = createJobMetrics(api.core)
  workers = await startTestWorkers(api, { queues: ['upkeep', 'push'], metrics })
})
afterAll(async () => {
  await workers.stop()
  await api.close()
})

/** Adds a job as the release after this one does, and returns it once it is back among the waiting. */
async function leftAlone(queue: 'upkeep' | 'push', name: string, data: object) {
  const job = await api.core.queues.queue(queue).add(name, data, { jobId: randomUUID(), attempts: 2 })
  await until(() => job.isDelayed())
  return (await api.core.queues.queue(queue).getJob(job.id!))!
}

describe('a job of the release after this one', () => {
  test.for([
    ['of a name that this one does not know', 'push', 'push.of-tomorrow', {}],
    ['with a payload that this one cannot read', 'upkeep', runOperation.name, { organizationId: 'seven' }],
  ] as const)('%s is left to its workers, and loses no attempt', async ([, queue, name, data]) => {
    const warn = vi.spyOn(api.log, 'warn')
    for (const _ of ['first', 'second']) {
      const job = await leftAlone(queue, name, data)
      expect([job.attemptsMade, job.failedReason]).toEqual([0, undefined])
      expect(job.delay).toBeGreaterThan(0)
      await job.remove()
    }
    const told = warn.mock.calls.filter(([, message]) => message === 'a job of another release is left alone')
    expect(told.map(([found]) => (found as { job: string }).job)).toEqual([name])
    expect((await metrics.text()).body).toMatch(/flightline_jobs_total\{.*outcome="left_alone"\} [12]/)
    warn.mockRestore()
  })

  test('for an operation of a kind that this one does not know is left to them too', async () => {
    const { organizationId, owner } = await buildSchool(api)
    const { rows } = await api.core.database.pool.query<{ id: number }>(
      `insert into operation (organization_id, kind, started_by, atomic, total, input)
       values ($1, 'of_tomorrow', $2, false, 0, '{}') returning id`,
      [organizationId, owner.orgUserId],
    )
    const job = await leftAlone('upkeep', runOperation.name, { organizationId, operationId: rows[0]!.id })
    expect(job.attemptsMade).toBe(0)
    await job.remove()
  })
})
