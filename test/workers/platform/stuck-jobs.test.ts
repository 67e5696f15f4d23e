import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Core, openCore } from '../../../src/shared/composition/core.ts'
import { markBackup } from '../../../src/shared/platform/db/backup-mark.ts'
import { findStuck } from '../../../src/shared/platform/jobs/counts.queries.ts'
import { type RunningWorkers, startWorkers } from '../../../src/workers/workers.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildMember, buildSchool } from '../../support/builders.ts'
import { eventually } from '../../support/eventually.ts'

let api: TestApp
let core: Core
let workers: RunningWorkers
beforeAll(async () => {
  api = await startTestApp({ realTime: true })
  // Nobody listens on this port.
  core = await openCore({ ...api.config, SMTP_URL: 'smtp://127.0.0.1:9' }, api.log)
  workers = await startWorkers({ ...core, log: api.log }, ['email'])
})
afterAll(async () => {
  await workers.stop()
  await core.close()
  await api.close()
})

const headers = { authorization: `Basic ${btoa('ops:ops-password')}` }
const metric = async (line: string) => (await api.call('GET', '/metrics', { headers })).body.includes(line)

describe('what is stuck (docs/operations.md, Jobs are stuck)', () => {
  test('is told with its kind, its failures and the last reason, soon after mail went down', async () => {
    const { organizationId } = await buildSchool(api)
    const { email } = await buildMember(api, organizationId, ['student'])
    expect((await api.call('POST', '/auth/forgot-password', { body: { email } })).statusCode).toBeLessThan(300)
    const found = await eventually(
      () => findStuck(api.core.database.pool),
      (stuck) => stuck.some(({ failures }) => failures > 1),
    )
    expect(found).toEqual([
      {
        job: 'accounts.send-mail-token',
        count: 1,
        dueSince: expect.any(Date),
        failures: expect.any(Number),
        reason: expect.stringContaining('mail'),
      },
    ])
    expect(await metric('flightline_jobs_stuck{job="accounts.send-mail-token"} 1')).toBe(true)
    const health = (await api.call('GET', '/ops/health', { headers })).json()
    expect(health.stuck).toMatchObject([{ job: 'accounts.send-mail-token', count: 1 }])
    const delayed = await api.core.queues.queue('email').getDelayed()
    expect(delayed.map(({ attemptsMade }) => attemptsMade > 1)).toEqual([true])
    const { jobs } = (await api.call('GET', '/ops/queues/api/queues?activeQueue=email&status=delayed', { headers }))
      .json()
      .queues.find(({ name }: { name: string }) => name === 'email')
    expect(jobs.map(({ name }: { name: string }) => name)).toEqual([expect.stringMatching(/^Failed \d+ times: /)])
  })

  test('is also what nobody has begun for a minute, and not what is of a later time', async () => {
    const { pool } = api.core.database
    const add = (after: string) =>
      pool.query(
        `insert into outbox (id, job, payload, available_at) values ($1, 'push.of-tomorrow', '{}', now() + $2::interval)`,
        [randomUUID(), after],
      )
    for (const after of ['-61 seconds', '-30 seconds', '1 hour']) await add(after)
    const found = (await findStuck(pool)).filter(({ job }) => job === 'push.of-tomorrow')
    expect(found).toMatchObject([{ count: 1, failures: 0, reason: null }])
  })

  test('and when the last backup was made are metrics, as is whether the process can work', async () => {
    const client = await api.core.database.pool.connect()
    await markBackup(client, 'journal').finally(() => client.release())
    expect(await metric('flightline_backup_age_seconds{kind="journal"} 0.')).toBe(true)
    for (const line of ['flightline_ready 1', 'flightline_held 0', 'flightline_gateway_webhooks_missed 0']) {
      expect([line, await metric(line)]).toEqual([line, true])
    }
    expect((await api.call('GET', '/metrics', { headers })).body).toMatch(/^flightline_disk_free_bytes \d+$/m)
  })
})
