import { DelayedError } from 'bullmq'
import { describe, expect, test, vi } from 'vitest'
import { purgeExpired } from '../../../src/shared/platform/retention/retention.jobs.ts'
import { runJob, type WorkerParts } from '../../../src/workers/run-job.ts'

/** The parts of a worker whose transactions fail with an error. */
const failingWith = (error: Error): WorkerParts =>
  ({
    clock: () => new Date(),
    database: { tables: [], orm: { em: { fork: () => ({ transactional: () => Promise.reject(error) }) } } },
  }) as unknown as WorkerParts

describe('a job whose worker has no connection left', () => {
  const queued = () => ({
    name: purgeExpired.name,
    id: 'x',
    data: {},
    opts: {},
    attemptsMade: 0,
    moveToDelayed: vi.fn(),
  })

  test('is offered again a little later, and loses no attempt', async () => {
    const job = queued()
    const starved = new Error('no transaction', { cause: new Error('timeout exceeded when trying to connect') })
    await expect(runJob(failingWith(starved), job as never)).rejects.toThrow(DelayedError)
    expect(job.moveToDelayed).toHaveBeenCalledOnce()
  })

  test('is offered again when it was tried before, too', async () => {
    const query = vi.fn(() => Promise.reject(new Error('timeout exceeded when trying to connect')))
    const parts = { database: { pool: { query } } } as unknown as WorkerParts
    const job = { ...queued(), id: '0199a3f0-0000-7000-8000-000000000001', attemptsMade: 1 }
    await expect(runJob(parts, job as never)).rejects.toThrow(DelayedError)
    expect(query).toHaveBeenCalledOnce()
    expect(job.moveToDelayed).toHaveBeenCalledOnce()
  })

  test('that fails otherwise loses one', async () => {
    const job = queued()
    await expect(runJob(failingWith(new Error('Connection terminated')), job as never)).rejects.toThrow('terminated')
    expect(job.moveToDelayed).not.toHaveBeenCalled()
  })
})
