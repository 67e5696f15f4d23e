import pg from 'pg'
import { describe, expect, vi } from 'vitest'
import { testedBackends } from '../../support/backends.ts'
import { workersTest } from '../../support/fixtures.ts'

/** The rounds of the sweep, a second apart, in which statements are counted. */
const ROUNDS = 4
/** The most statements a round: the sweep, the look at all queues, and now and then another. */
const MOST_A_ROUND = 3

const test = workersTest({ realTime: true })
  /** Counts the statements of all connections of this process during so many rounds of the sweep. */
  .extend(
    'statementsDuring',
    ({ workers }) =>
      async (rounds: number): Promise<{ statements: number; took: number }> => {
        const { relay } = workers.core
        const sweep = vi.spyOn(relay, 'sweep')
        await vi.waitUntil(() => sweep.mock.calls.length > 1, { timeout: 60_000 })
        // Scheduled jobs run at full minutes: those are not nothing to do.
        await vi.waitUntil(() => new Date().getSeconds() >= 10 && new Date().getSeconds() < 45, { timeout: 60_000 })
        const before = sweep.mock.calls.length
        const { prototype } = pg.Connection
        const sent = [vi.spyOn(prototype, 'query'), vi.spyOn(prototype, 'bind')]
        const counted = () => sent.reduce((sum, { mock }) => sum + mock.calls.length, 0)
        const passed = () => sweep.mock.calls.length - before
        // On a busy machine a round is left out while the one before it runs, and a statement is sent after the next call.
        await vi.waitUntil(() => passed() >= rounds && counted() >= rounds, { timeout: 60_000 })
        const [statements, took] = [counted(), passed()]
        vi.restoreAllMocks()
        return { statements, took }
      },
  )

describe.runIf(testedBackends().includes('postgres'))('workers with nothing to do', () => {
  test('ask the database a few times a second, for all queues and the outbox together', async ({
    statementsDuring,
  }) => {
    const { statements, took } = await statementsDuring(ROUNDS)
    expect(statements).toBeGreaterThanOrEqual(ROUNDS)
    expect(statements).toBeLessThanOrEqual(took * MOST_A_ROUND)
  })
})
