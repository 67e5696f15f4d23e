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
  .extend('statementsDuring', ({ workers }) => async (rounds: number): Promise<number> => {
    const { relay } = workers.core
    const sweep = vi.spyOn(relay, 'sweep')
    await vi.waitUntil(() => sweep.mock.calls.length > 1, { timeout: 60_000 })
    // Scheduled jobs run at full minutes: those are not nothing to do.
    await vi.waitUntil(() => new Date().getSeconds() >= 10 && new Date().getSeconds() < 45, { timeout: 60_000 })
    const before = sweep.mock.calls.length
    const { prototype } = pg.Connection
    const sent = [vi.spyOn(prototype, 'query'), vi.spyOn(prototype, 'bind')]
    await vi.waitUntil(() => sweep.mock.calls.length >= before + rounds, { timeout: 60_000 })
    // A round's statement is sent after its call, on a busy machine after the next one's.
    await Promise.all(sweep.mock.results.slice(before, before + rounds).map(({ value }) => value))
    const statements = sent.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    vi.restoreAllMocks()
    return statements
  })

describe.runIf(testedBackends().includes('postgres'))('workers with nothing to do', () => {
  test('ask the database a few times a second, for all queues and the outbox together', async ({
    statementsDuring,
  }) => {
    const statements = await statementsDuring(ROUNDS)
    expect(statements).toBeGreaterThanOrEqual(ROUNDS)
    expect(statements).toBeLessThanOrEqual(ROUNDS * MOST_A_ROUND)
  })
})
