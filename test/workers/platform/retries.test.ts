import { describe, expect } from 'vitest'
import { GatewayUnavailable } from '../../../src/shared/platform/adapters/payments/gateway-errors.ts'
import { backoffType } from '../../../src/shared/platform/jobs/queue-backend.ts'
import { until } from '../../support/eventually.ts'
import { apiTest } from '../../support/fixtures.ts'

const test = apiTest()
  /** Runs a job that fails with this error. Returns the milliseconds until it is tried again. */
  .extend('pauseAfter', ({ api }) => async (error: Error): Promise<number> => {
    const { queues } = api.core
    let closed: Promise<void> | undefined
    const worker = queues.worker('upkeep', async () => {
      // The worker takes no other job, so the job waits for as long as the test looks at it.
      closed = worker.close()
      throw error
    })
    const backoff = { type: backoffType, delay: 1_000 }
    const job = await queues.queue('upkeep').add('fails', {}, { attempts: 3, backoff })
    await until(() => job.isDelayed())
    await closed
    const [waiting] = await queues.queue('upkeep').getDelayed()
    await waiting!.remove()
    return waiting!.delay
  })

// The delays themselves are tested in test/rules/platform/job-backoff.test.ts; other tests run jobs with shorter ones.
describe('a job that failed (decision 3)', () => {
  test('is tried again after its declared pause, of which chance takes half at most', async ({ pauseAfter }) => {
    const pause = await pauseAfter(new Error('away'))
    expect(pause).toBeGreaterThanOrEqual(500)
    expect(pause).toBeLessThanOrEqual(1_000)
  })

  test('is not tried before the instant that the other side asked for', async ({ pauseAfter }) => {
    expect(await pauseAfter(new GatewayUnavailable('busy', 30))).toBe(30_000)
  })
})
