import { describe, expect, test } from 'vitest'
import { connectionsOfFleet } from '../support/connections.ts'
import { hasTimeFor } from './drill-time.ts'

/**
 * 20 workers and 2 APIs under load on a PostgreSQL that has the connections of docs/operations.md and no more. Needs
 * `redis-server` for the first.
 */
describe('20 workers and 2 APIs', () => {
  test.each([
    { queues: 'redis', most: 100, all: 20 * 3 + 2 * 11 },
    { queues: 'postgres', most: 200, all: 20 * 8 + 2 * 15 },
  ] as const)('fit $most connections of PostgreSQL with queues in $queues', async ({ queues, most, all }) => {
    if (!hasTimeFor(`the fleet with queues in ${queues}`)) return
    const { apis, workers, held, answers, refusals } = await connectionsOfFleet({
      queues,
      apis: 2,
      workers: 20,
      most,
      mayGoOn: () => hasTimeFor('requests of the load'),
    })
    const sum = [...apis, ...workers].reduce((connections, one) => connections + one.all, 0)
    process.stdout.write(`queues in ${queues}: ${sum} at most, ${held} held at once, of ${most}\n`)
    expect(sum).toBe(all)
    expect(held).toBeLessThanOrEqual(all)
    expect(refusals).toEqual([])
    if (hasTimeFor('the rest of the requests')) expect(answers).toEqual({ 200: 960, 201: 96 })
  })
})
