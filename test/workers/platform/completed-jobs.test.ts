import { expect } from 'vitest'
import { openQueueBackend } from '../../../src/shared/platform/jobs/queue-backend.ts'
import { QUEUE_SCHEMA } from '../../../src/shared/platform/jobs/queue-schema.ts'
import { apiTest } from '../../support/fixtures.ts'

const test = apiTest()

test('of the completed jobs in PostgreSQL the newest thousand of each queue are kept, for a day', async ({
  api,
  onTestFinished,
}) => {
  const { pool } = api.core.database
  const databaseUrl = api.config.DATABASE_URL ?? ''
  const backend = await openQueueBackend({ databaseUrl, onError: () => undefined })
  onTestFinished(() => backend.close())
  const DAY_MS = 86_400_000
  const job = (queue: string, jobs: number, from: number) =>
    pool.query(
      `insert into ${QUEUE_SCHEMA}.job (queue, id, seq, name, state, added_at_ms, finished_at_ms)
       select $1, 'job-' || n, n, 'test', 'completed', $3::bigint + n, $3::bigint + n from generate_series(1, $2) n`,
      [queue, jobs, from],
    )
  const now = Date.now()
  await job('upkeep', 1_003, now - 60_000)
  await job('email', 1_000, now - 60_000)
  // Two of them ended a day and some milliseconds ago.
  await job('push', 2, now - DAY_MS - 10)
  await job('meetings', 1, now - DAY_MS + 600_000)
  await backend.tend(['upkeep', 'email', 'push', 'meetings'])
  const { rows } = await pool.query(
    `select queue, count(*)::int as jobs, min(seq)::int as oldest from ${QUEUE_SCHEMA}.job group by queue order by queue`,
  )
  expect(rows).toEqual([
    { queue: 'email', jobs: 1_000, oldest: 1 },
    { queue: 'meetings', jobs: 1, oldest: 1 },
    { queue: 'upkeep', jobs: 1_000, oldest: 4 },
  ])
})
