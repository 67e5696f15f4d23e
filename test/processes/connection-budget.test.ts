import { describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { connectionsOfFleet } from '../support/connections.ts'

/** As docs/operations.md says, with the pools that the service has by itself: work, queue, listener and spare. */
const said = {
  redis: {
    api: { work: 10, queue: 0, listener: 0, spare: 1, all: 11 },
    worker: { work: 3, queue: 0, listener: 0, spare: 0, all: 3 },
    all: 14,
  },
  postgres: {
    api: { work: 10, queue: 4, listener: 0, spare: 1, all: 15 },
    worker: { work: 3, queue: 4, listener: 1, spare: 0, all: 8 },
    all: 23,
  },
}

describe.each(testedBackends())('the connections of an API and a worker, queues in %s', (queues) => {
  test('are said at their start, and never more under more requests than the pools have connections', async () => {
    const { apis, workers, held, answers, refusals } = await connectionsOfFleet({
      queues,
      apis: 1,
      workers: 1,
      most: 30,
    })
    expect([apis, workers]).toEqual([[said[queues].api], [said[queues].worker]])
    expect(held).toBeLessThanOrEqual(said[queues].all)
    // The pool of the API is used up, so that the load says something.
    expect(held).toBeGreaterThan(said[queues].api.work)
    expect([answers, refusals]).toEqual([{ 200: 480, 201: 48 }, []])
  })
})
