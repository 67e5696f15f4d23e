import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabaseClock } from '../../../src/shared/platform/db/database-clock.ts'
import type { QueueName } from '../../../src/shared/platform/jobs/define-job.ts'
import { createPromotion } from '../../../src/shared/platform/jobs/overdue-retries.ts'
import { backoffType } from '../../../src/shared/platform/jobs/queue-backend.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { type StartedBackend, startBackend, testedBackends } from '../../support/backends.ts'
import { until } from '../../support/eventually.ts'

const HOUR_MS = 3_600_000
const name: QueueName = 'email'

describe.each(testedBackends())('a process whose clock is an hour off, queues in %s', (kind) => {
  let backend: StartedBackend
  let api: TestApp
  beforeAll(async () => {
    backend = await startBackend(kind)
    api = await startTestApp({ realTime: true, env: backend.env })
  })
  afterEach(() => vi.useRealTimers())
  afterAll(async () => {
    await api.close()
    await backend.stop()
  })

  const shift = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })

  test.each([HOUR_MS, -HOUR_MS])(
    'leaves a retry due after its back-off by the clock of the store: %i ms',
    async (ms) => {
      const queue = api.core.queues.queue(name)
      const id = randomUUID()
      let tries = 0
      const worker = api.core.queues.worker(name, async () => {
        tries += 1
        if (tries === 1) throw new Error('fails once')
      })
      shift(ms)
      await queue.add('test', {}, { jobId: id, attempts: 2, backoff: { type: backoffType, delay: 2_000 } })
      // A worker ahead may take the retry early; one behind leaves it. Then the clock is right again.
      await until(async () => tries > 0 && (await queue.getJobState(id)) !== 'active')
      vi.useRealTimers()
      await until(async () => {
        // As every worker process does each second.
        await api.core.queues.tend([name])
        return (await queue.getJobState(id)) === 'completed'
      })
      expect(tries).toBe(2)
      await worker.close()
    },
  )

  test('has the time of the database, also when its clock is set while it runs', async () => {
    const clock = await openDatabaseClock(api.core.database)
    const offBy = (trueMs: number) => Math.abs(clock().getTime() - trueMs)
    expect(offBy(Date.now())).toBeLessThan(2_000)
    const before = Date.now()
    shift(HOUR_MS)
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
