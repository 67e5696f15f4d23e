import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { QueueName } from '../../../src/shared/platform/contracts/define-job.ts'
import { openDatabaseClock } from '../../../src/shared/platform/db/database-clock.ts'
import { createPromotion } from '../../../src/shared/platform/jobs/overdue-retries.ts'
import { backoffType } from '../../../src/shared/platform/jobs/queue-backend.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { type StartedBackend, startBackend, testedBackends } from '../../support/backends.ts'
import { until } from '../../support/eventually.ts'
import { setClockOff } from '../../support/off-clock.ts'

const HOUR_MS = 3_600_000
const name: QueueName = 'email'

describe.each(testedBackends())('a process whose clock is wrong, queues in %s', (kind) => {
  let backend: StartedBackend
  let api: TestApp
  beforeAll(async () => {
    backend = await startBackend(kind)
    api = await startTestApp({ realTime: true, env: backend.env })
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(async () => {
    await api.close()
    await backend.stop()
  })

  /** Waits until a job is completed, and does what every worker process does each second. */
  const completed = (id: string) =>
    until(async () => {
      await api.core.queues.tend([name])
      return (await api.core.queues.queue(name).getJobState(id)) === 'completed'
    })

  test.each([HOUR_MS, -HOUR_MS, 20_000, -20_000])(
    'takes a retry when it is due by the clock of the store: %i ms',
    async (ms) => {
      setClockOff(ms)
      const queue = api.core.queues.queue(name)
      const id = randomUUID()
      const triedAt: number[] = []
      const worker = api.core.queues.worker(name, async () => {
        triedAt.push(performance.now())
        if (triedAt.length === 1) throw new Error('fails once')
      })
      await queue.add('test', {}, { jobId: id, attempts: 2, backoff: { type: backoffType, delay: 2_000 } })
      await completed(id)
      expect(triedAt).toHaveLength(2)
      // A back-off is reduced by up to half at random.
      expect(triedAt[1]! - triedAt[0]!).toBeGreaterThan(950)
      await worker.close()
    },
  )

  test.each([HOUR_MS, -HOUR_MS])('takes a delayed job when it is due by the clock of the store: %i ms', async (ms) => {
    setClockOff(ms)
    const id = randomUUID()
    let takenAt = 0
    const worker = api.core.queues.worker(name, async () => {
      takenAt = performance.now()
    })
    await worker.waitUntilReady()
    const addedAt = performance.now()
    await api.core.queues.queue(name).add('test', {}, { jobId: id, delay: 1_000, timestamp: api.core.queues.now() })
    await completed(id)
    expect(takenAt - addedAt).toBeGreaterThan(950)
    await worker.close()
  })

  test.each([HOUR_MS, -HOUR_MS])('runs a schedule by the clock of the store: %i ms', async (ms) => {
    const start = performance.timeOrigin + performance.now()
    const rightMs = () => performance.timeOrigin + performance.now()
    setClockOff(ms)
    const queue = api.core.queues.queue(name)
    const schedule = `by-the-store-${ms}`
    const runs = new Set<string | undefined>()
    const worker = api.core.queues.worker(name, async (job) => void runs.add(job.id))
    await queue.upsertJobScheduler(schedule, { pattern: '*/2 * * * * *', tz: 'UTC' }, { name: 'test', data: {} })
    const isAhead = async () => {
      const next = (await queue.getJobScheduler(schedule))?.next ?? 0
      expect(next).toBeGreaterThan(start)
      expect(next).toBeLessThanOrEqual(rightMs() + 2_000)
    }
    await isAhead()
    await until(async () => {
      await api.core.queues.tend([name])
      return runs.size >= 3
    })
    await isAhead()
    // A run every two seconds, however often the queue is looked at.
    expect(runs.size).toBeLessThanOrEqual(Math.ceil((rightMs() - start) / 2_000) + 1)
    await queue.removeJobScheduler(schedule)
    await worker.close()
  })

  test.each([HOUR_MS, -HOUR_MS])('keeps the lock of a job that runs for long: %i ms', async (ms) => {
    setClockOff(ms)
    const id = randomUUID()
    let runs = 0
    const work = async () => {
      runs += 1
      await new Promise((resolve) => setTimeout(resolve, 6_000))
    }
    const workers = [api.core.queues.worker(name, work), api.core.queues.worker(name, work)]
    await api.core.queues.queue(name).add('test', {}, { jobId: id })
    await completed(id)
    expect(runs).toBe(1)
    expect(await api.core.queues.queue(name).getJob(id)).toMatchObject({ stalledCounter: 0 })
    for (const worker of workers) await worker.close()
  })

  test('leaves no lock in the future: another worker takes over within seconds', async () => {
    setClockOff(HOUR_MS)
    const id = randomUUID()
    let runs = 0
    const worker = api.core.queues.worker(name, async () => {
      runs += 1
      // As if its process had been killed.
      if (runs === 1) await new Promise(() => undefined)
    })
    await api.core.queues.queue(name).add('test', {}, { jobId: id })
    await until(async () => runs === 1)
    await worker.close(true)
    vi.restoreAllMocks()
    const other = api.core.queues.worker(name, async () => undefined)
    const from = performance.now()
    await completed(id)
    expect(performance.now() - from).toBeLessThan(15_000)
    await other.close()
  })

  test('has the time of the database, also when its clock is set while it runs', async () => {
    const clock = await openDatabaseClock(api.core.database)
    const offBy = (trueMs: number) => Math.abs(clock().getTime() - trueMs)
    expect(offBy(Date.now())).toBeLessThan(2_000)
    const before = Date.now()
    setClockOff(HOUR_MS)
    expect(offBy(before)).toBeLessThan(10_000)
  })

  test('has left jobs in the future: the sweep starts what was never tried and is due', async () => {
    const queue = api.core.queues.queue(name)
    const id = randomUUID()
    await queue.add('test', {}, { jobId: id, delay: HOUR_MS })
    const promote = createPromotion(api.core.queues)
    await promote([{ id, queue: name }])
    expect(await queue.getJobState(id)).toBe('waiting')
  })
})
