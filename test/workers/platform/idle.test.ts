import pg from 'pg'
import { describe, expect, vi } from 'vitest'
import { testedBackends } from '../../support/backends.ts'
import { until } from '../../support/eventually.ts'
import { workersTest } from '../../support/fixtures.ts'

/** The rounds of the sweep, a second apart, in which statements are counted. */
const ROUNDS = 4
/** The most statements a round: the sweep, the look at all queues, and now and then another. */
const MOST_A_ROUND = 3
/** How long a job of a full minute takes at most, in milliseconds. */
const JOB_MS = 2_000

const test = workersTest({ realTime: true })
  /** Returns whether a worker was at a job at this time or later, such as at a full minute. */
  .extend('worked', ({ workers }) => async (since: number): Promise<boolean> => {
    const jobs = `select from bullmq.job where state = 'active' or processed_at_ms >= $1 limit 1`
    return (await workers.core.database.pool.query(jobs, [since])).rowCount !== 0
  })
  /** Counts the statements of all connections of this process during so many rounds of the sweep without a job. */
  .extend('statementsDuring', ({ workers, worked }) => {
    async function count(rounds: number): Promise<{ statements: number; took: number }> {
      const sweep = vi.spyOn(workers.core.relay, 'sweep')
      const { prototype } = pg.Connection
      const sent = [vi.spyOn(prototype, 'query'), vi.spyOn(prototype, 'bind')]
      const counted = () => sent.reduce((sum, { mock }) => sum + mock.calls.length, 0)
      const passed = () => sweep.mock.calls.length
      // On a busy machine a round is left out while the one before it runs, and a statement is sent after the next call.
      await until(() => passed() >= rounds && counted() >= rounds)
      const [statements, took] = [counted(), passed()]
      vi.restoreAllMocks()
      return { statements, took }
    }
    return async (rounds: number) => {
      // By the second round the workers have looked for their first jobs.
      await count(2)
      for (;;) {
        // The last statements of a job are sent after it was processed.
        const since = Date.now() - JOB_MS
        const found = await count(rounds)
        if (!(await worked(since))) return found
      }
    }
  })

describe.runIf(testedBackends().includes('postgres'))('workers with nothing to do', () => {
  test('ask the database a few times a second, for all queues and the outbox together', async ({
    statementsDuring,
  }) => {
    const { statements, took } = await statementsDuring(ROUNDS)
    expect(statements).toBeGreaterThanOrEqual(ROUNDS)
    expect(statements).toBeLessThanOrEqual(took * MOST_A_ROUND)
  })
})
