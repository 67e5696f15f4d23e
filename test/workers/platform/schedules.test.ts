import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { remindLate } from '../../../src/shared/dispatch/close-out.jobs.ts'
import { openQueueBackend } from '../../../src/shared/platform/jobs/queue-backend.ts'
import { purgeExpired } from '../../../src/shared/platform/retention/retention.jobs.ts'
import { enterSchedules, schedules } from '../../../src/workers/schedules.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { type StartedBackend, startBackend, testedBackends } from '../../support/backends.ts'
import { until } from '../../support/eventually.ts'
import { startTestWorkers, type TestWorkers } from '../../support/workers.ts'

describe.each(testedBackends())('the schedules, queues in %s', (kind) => {
  let backend: StartedBackend
  let api: TestApp
  let fleet: TestWorkers[]
  beforeAll(async () => {
    backend = await startBackend(kind)
    api = await startTestApp({ realTime: true, env: backend.env })
    fleet = [await startTestWorkers(api), await startTestWorkers(api)]
  })
  afterAll(async () => {
    for (const workers of fleet) await workers.stop()
    await api.close()
    await backend.stop()
  })

  async function entered() {
    const found = await Promise.all(
      [...new Set(schedules.map(({ job }) => job.queue))].map((name) => api.core.queues.queue(name).getJobSchedulers()),
    )
    return found.flat().map(({ key, pattern, next }) => ({ key, pattern, next }))
  }

  test('exist once however many workers enter them, and however often', async () => {
    const before = await entered()
    expect(before.map(({ key }) => key).sort()).toEqual(schedules.map(({ job }) => job.name).sort())
    for (let times = 0; times < 5; times++)
      await enterSchedules(
        api.core.queues,
        schedules.map(({ job }) => job.queue),
      )
    expect((await entered()).map(({ key }) => key).sort()).toEqual(before.map(({ key }) => key).sort())
  })

  test('that are there as wanted are left alone, with the run that comes next', async () => {
    const queue = api.core.queues.queue(purgeExpired.queue)
    const nextRun = async () => (await queue.getDelayed()).find(({ name }) => name === purgeExpired.name)
    const before = await nextRun()
    await enterSchedules(api.core.queues, [purgeExpired.queue])
    expect(await nextRun()).toMatchObject({ id: before?.id, timestamp: before?.timestamp })
  })

  test('are entered by many workers at once, into a store without them and into one that has them', async () => {
    const queues = schedules.map(({ job }) => job.queue)
    const { databaseUrl, redisUrl } = { databaseUrl: api.config.DATABASE_URL!, redisUrl: api.config.REDIS_URL }
    const open = () => openQueueBackend({ databaseUrl, redisUrl, poolSize: 3, onError: () => {} })
    const backends = await Promise.all(Array.from({ length: 5 }, open))
    for (let round = 0; round < 10; round++) {
      if (round % 2 === 0)
        for (const { job } of schedules) await api.core.queues.queue(job.queue).removeJobScheduler(job.name)
      await Promise.all(backends.map((one) => enterSchedules(one, queues)))
    }
    for (const one of backends) await one.close()
    const found = await entered()
    expect(found.map(({ key }) => key).sort()).toEqual(schedules.map(({ job }) => job.name).sort())
    for (const { job } of schedules) {
      const runs = await api.core.queues.queue(job.queue).getDelayed()
      expect(runs.filter(({ name }) => name === job.name)).toHaveLength(1)
    }
  })

  test('are due at their next minute, and entering them again does not put them off', async () => {
    const before = await entered()
    for (const { next } of before) {
      expect(next).toBeGreaterThan(Date.now())
      // The rarest of them runs once an hour.
      expect(next).toBeLessThanOrEqual(Date.now() + 60 * 60_000)
    }
    await enterSchedules(
      api.core.queues,
      schedules.map(({ job }) => job.queue),
    )
    for (const { key, next } of await entered()) {
      const earlier = before.find((one) => one.key === key)?.next ?? 0
      expect(next === earlier || earlier <= Date.now()).toBe(true)
    }
  })

  test('put off by a worker whose clock was hours ahead are due within the hour again', async () => {
    const { job, pattern } = schedules.find((one) => one.job === purgeExpired)!
    const queue = api.core.queues.queue(job.queue)
    await queue.removeJobScheduler(job.name)
    await queue.upsertJobScheduler(job.name, { pattern, tz: 'UTC', startDate: Date.now() + 3 * 60 * 60_000 })
    expect((await queue.getJobScheduler(job.name))?.next).toBeGreaterThan(Date.now() + 2 * 60 * 60_000)
    await enterSchedules(api.core.queues, [job.queue])
    expect((await queue.getJobScheduler(job.name))?.next).toBeLessThanOrEqual(Date.now() + 60 * 60_000)
    const runs = (await queue.getDelayed()).filter(({ name }) => name === job.name)
    expect(runs).toHaveLength(1)
    expect(runs[0]?.delay).toBeLessThanOrEqual(60 * 60_000)
  })

  test('that run often are put right too when they were put off by an hour', async () => {
    const { job, pattern } = schedules.find((one) => one.job === remindLate)!
    const queue = api.core.queues.queue(job.queue)
    await queue.removeJobScheduler(job.name)
    await queue.upsertJobScheduler(job.name, { pattern, tz: 'UTC', startDate: Date.now() + 50 * 60_000 })
    await enterSchedules(api.core.queues, [job.queue])
    expect((await queue.getJobScheduler(job.name))?.next).toBeLessThanOrEqual(Date.now() + 2 * 60_000)
  })

  test('are the workers’ to run: a run of each ends well', async () => {
    for (const { job } of schedules) await api.core.queues.queue(job.queue).add(job.name, {}, { jobId: randomUUID() })
    const ended = async () => {
      const counts = await Promise.all(
        schedules.map(({ job }) => api.core.queues.queue(job.queue).getJobCounts('waiting', 'active', 'failed')),
      )
      expect(counts.map(({ failed }) => failed)).toEqual(counts.map(() => 0))
      return counts.every(({ waiting, active }) => waiting === 0 && active === 0)
    }
    await until(ended)
  })
})
