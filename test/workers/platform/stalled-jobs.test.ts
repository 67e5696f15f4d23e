import { expect } from 'vitest'
import { QUEUE_SCHEMA } from '../../../src/shared/platform/jobs/queue-schema.ts'
import { until } from '../../support/eventually.ts'
import { apiTest } from '../../support/fixtures.ts'

const test = apiTest()

test('a job whose worker was killed a hundred times runs once more; after the next kill it is given up (decision 37)', async ({
  api,
  onTestFinished,
}) => {
  const { database, queues } = api.core
  const ran: (string | undefined)[] = []
  // Each was in hand of a worker that is dead, after so many others.
  const left = `insert into ${QUEUE_SCHEMA}.job
      (queue, id, seq, name, state, added_at_ms, lock_token, locked_until_ms, stalled_marked, stalled_count)
    values ('upkeep', $1, $2, 'test', 'active', 1, 'dead', 1, true, $3)`
  await database.pool.query(left, ['killed-99', 1, 99])
  await database.pool.query(left, ['killed-100', 2, 100])
  await queues.tend(['upkeep'])
  const worker = queues.worker('upkeep', async ({ id }) => void ran.push(id))
  onTestFinished(() => worker.close())
  const states = () => Promise.all(['killed-99', 'killed-100'].map((id) => queues.queue('upkeep').getJobState(id)))
  await until(async () => (await states()).every((state) => state === 'completed' || state === 'failed'))
  expect(await states()).toEqual(['completed', 'failed'])
  expect(ran).toEqual(['killed-99'])
})
