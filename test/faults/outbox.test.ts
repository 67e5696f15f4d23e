import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueAtGateway } from '../../src/shared/billing/invoices/invoices.jobs.ts'
import { inTransaction } from '../../src/shared/platform/db/transaction.ts'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { eventually } from '../support/eventually.ts'
import { flownBy } from '../support/flights.ts'
import { expectSameFigures } from '../support/reconcile.ts'
import { startTestWorkers, type TestWorkers } from '../support/workers.ts'

interface Row {
  id: string
  failed: boolean
  seen: boolean
}

describe.each(testedBackends())('the outbox, queues in %s', (kind) => {
  let env: BillingEnv
  let workers: TestWorkers | undefined
  let day = 0
  beforeAll(async () => {
    env = await startBilling(kind, { workers: false, env: { STRIPE_TIMEOUT_MS: '5000' } })
  })
  afterAll(async () => {
    await workers?.stop()
    await env.close()
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await env.api.core.database.pool.query(text, values)).rows
  const row = async (id: string): Promise<Row | undefined> =>
    (
      await query(`select id, failed_at is not null as failed, seen_at is not null as seen from outbox where id = $1`, [
        id,
      ])
    )[0]
  const queue = () => env.api.core.queues.queue('invoicing')
  const queued = (id: string) =>
    eventually(
      () => queue().getJobState(id),
      (state) => state !== 'unknown',
    )

  /** Hands over a job of the invoice of a new flight, and answers its id. Nobody works it yet. */
  async function owed(): Promise<{ id: string; invoiceId: number }> {
    const flight = await flownBy(env.api, env.school, day++)
    await env.api.call('POST', `/reservations/${flight.id}/invoices`, { token: env.school.admin.token })
    const [last] = await query(
      `select id, (payload ->> 'invoiceId')::int as "invoiceId" from outbox where job = $1 order by created_at desc limit 1`,
      [issueAtGateway.name],
    )
    await queued(last.id)
    return last
  }

  const longAgo = (id: string) =>
    query(
      `update outbox set seen_at = now() - interval '2 minutes', available_at = now() - interval '2 minutes',
         created_at = now() - interval '2 minutes' where id = $1`,
      [id],
    )

  test('hands over again what the queue has lost, and leaves alone what it has', async () => {
    const [lost, kept] = [await owed(), await owed()]
    await (await queue().getJob(lost.id))?.remove()
    await Promise.all([longAgo(lost.id), longAgo(kept.id)])
    await env.workers.core.relay.sweep()
    const states = await eventually(
      () => Promise.all([lost, kept].map(({ id }) => queue().getJobState(id))),
      (all) => all.every((state) => state === 'waiting'),
    )
    expect(states).toEqual(['waiting', 'waiting'])
    expect((await queue().getWaiting()).map(({ id }) => id).sort()).toEqual([lost.id, kept.id].sort())
  })

  test('is added by the sweep when the process died before it could, and left alone when it is in its queue', async () => {
    const { organizationId } = env.school
    const { database, clock } = env.api.core
    const { enqueued } = await inTransaction(database, clock, async (tx) =>
      [1, 2].map(() => tx.enqueue(issueAtGateway, { organizationId, invoiceId: 999_999, revision: 0 })),
    )
    const [left, added] = enqueued.map(({ id }) => id) as [string, string]
    await queue().add(
      issueAtGateway.name,
      { organizationId, invoiceId: 999_999, revision: 0 },
      { jobId: added, attempts: 7 },
    )
    await env.workers.core.relay.sweep()
    expect(await queue().getJobState(left)).toBe('unknown')
    await query(`update outbox set created_at = now() - interval '3 seconds' where id = any($1::uuid[])`, [
      [left, added],
    ])
    await env.workers.core.relay.sweep()
    expect(await Promise.all([left, added].map((id) => queue().getJobState(id)))).toEqual(['waiting', 'waiting'])
    expect((await queue().getJob(added))?.opts.attempts).toBe(7)
    expect([await row(left), await row(added)]).toMatchObject([{ seen: true }, { seen: true }])
    await Promise.all([left, added].map((id) => queue().remove(id)))
    await query('delete from outbox where id = any($1::uuid[])', [[left, added]])
  })

  test('leaves jobs of a later release to its workers, and they do not stand in the way', async () => {
    const strange = randomUUID()
    const old = `now() - interval '1 hour'`
    await query(
      `insert into outbox (id, job, payload, available_at, created_at) values ($1, 'later.release', '{}', ${old}, ${old})`,
      [strange],
    )
    const { database, clock } = env.api.core
    const { enqueued: left } = await inTransaction(database, clock, async (tx) =>
      tx.enqueue(issueAtGateway, { organizationId: env.school.organizationId, invoiceId: 999_999, revision: 0 }),
    )
    const id = left[0]!.id
    await eventually(
      async () => {
        await env.workers.core.relay.sweep()
        return row(id)
      },
      (found) => found?.seen === true,
    )
    expect(await queue().getJobState(id)).not.toBe('unknown')
    expect(await row(strange)).toEqual({ id: strange, failed: false, seen: false })
    await query('delete from outbox where id = $1', [strange])
  })

  test('is settled by the sweep when the worker died after the job and before it could say so', async () => {
    const { id, invoiceId } = await owed()
    workers = await startTestWorkers(env.api)
    await workers.settled()
    const before = (await env.simulator.everything()).requests.length
    await query(`insert into outbox (id, job, payload) values ($1, $2, $3)`, [
      id,
      issueAtGateway.name,
      JSON.stringify({ organizationId: env.school.organizationId, invoiceId, revision: 0 }),
    ])
    // Workers that have just started hand everything over again, which counts as a look.
    const look = async () => {
      await longAgo(id)
      return row(id)
    }
    await eventually(look, (found) => found === undefined)
    expect((await env.simulator.everything()).requests).toHaveLength(before)
    await expectSameFigures(env)
  })

  test('has what was given up and is tried again from the dashboard among what is owed', async () => {
    await workers?.stop()
    workers = undefined
    const { id } = await owed()
    const job = await queue().getJob(id)
    await job?.remove()
    await queue().add(issueAtGateway.name, job?.data, { jobId: id, attempts: 1 })
    await env.simulator.fault({ match: 'POST /v1/customers', kind: '500' })
    workers = await startTestWorkers(env.api)
    await eventually(
      () => row(id),
      (found) => found?.failed === true,
    )

    await env.simulator.fault({ match: 'GET /v1/invoices', kind: 'hang', seconds: 1 })
    await (await queue().getJob(id))?.retry('failed')
    await eventually(
      () => row(id),
      (found) => found?.failed === false,
    )
    await eventually(
      () => row(id),
      (found) => found === undefined,
    )
    await expectSameFigures(env)
  })
})
