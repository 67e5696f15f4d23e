import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { eventually, until } from '../support/eventually.ts'
import { dualBody, flownBy } from '../support/flights.ts'
import { waitingFor } from '../support/held-row.ts'
import { type ApiProcess, startApiProcess, startWorkerProcess, type TestProcess } from '../support/processes.ts'
import { expectSameFigures } from '../support/reconcile.ts'

describe.each(testedBackends())('an API process that is killed, queues in %s', (kind) => {
  let env: BillingEnv
  let api: ApiProcess
  let worker: TestProcess | undefined
  beforeAll(async () => {
    env = await startBilling(kind, { workers: false, env: { PROCESSOR_WAIT_MS: '10000' } })
    api = await startApiProcess(env.api.config)
  })
  afterAll(async () => {
    await api.kill()
    await worker?.kill()
    await env.close()
  })

  function post(path: string, token: string, body?: unknown): Promise<number | null> {
    const sent = fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return sent.then(
      ({ status }) => status,
      () => null,
    )
  }

  test('between its commit and the hand-over to the queue: what it owes is delivered, once', async () => {
    const flight = await flownBy(env.api, env.school, 0)
    await env.workers.core.database.pool.query('delete from outbox')
    const queues = await closeQueues(env)
    const answer = post(`/reservations/${flight.id}/invoices`, env.school.admin.token)
    await eventually(
      () => rows(env, 'select id from invoice'),
      (invoices) => invoices.length === 1,
    )
    await queues.asked()
    await api.kill()
    expect(await answer).toBeNull()
    const owed = (await rows(env, 'select id from outbox')).map(({ id }) => String(id))
    expect(owed.length).toBeGreaterThan(0)
    await queues.open()
    // The queue's store may still be starting.
    const states = await eventually(
      () => Promise.all(owed.map((id) => env.api.core.queues.queue('invoicing').getJobState(id))).catch(() => []),
      ({ length }) => length > 0,
    )
    expect(new Set(states)).toEqual(new Set(['unknown']))

    worker = await startWorkerProcess(env.api.config, { SMTP_URL: env.workers.mailCatcher.smtpUrl })
    await eventually(
      () => rows(env, `select id from invoice where status = 'open'`),
      (open) => open.length === 1,
    )
    await env.workers.settled()
    await expectSameFigures(env)
    expect(env.workers.mails(flight.student.email)).toHaveLength(1)
  })

  test('under a stream of requests: what it committed has its jobs done, none of them twice', async () => {
    const { school } = env
    api = await startApiProcess(env.api.config)
    worker ??= await startWorkerProcess(env.api.config, { SMTP_URL: env.workers.mailCatcher.smtpUrl })
    const known = (await rows(env, 'select id from reservation')).length
    const acknowledged: (number | null)[] = []
    const clients = Array.from({ length: 6 }, async (_, client) => {
      for (let slot = 0; api.isAlive(); slot++) {
        const hour = Date.UTC(2027, 0, 1) + (slot * 6 + client) * 3_600_000
        const [start, end] = [hour, hour + 3_600_000].map((at) => new Date(at).toISOString())
        acknowledged.push(
          await post('/reservations', school.dispatcher.token, dualBody(school, { start: start!, end: end! })),
        )
      }
    })
    await eventually(
      async () => acknowledged.length,
      (count) => count > 40,
    )
    await api.kill()
    await Promise.all(clients)

    await env.workers.settled()
    const booked = (await rows(env, 'select id from reservation')).length - known
    const accepted = acknowledged.filter((status) => status === 201).length
    expect(acknowledged.filter((status) => status !== 201 && status !== null)).toEqual([])
    expect(booked).toBeGreaterThanOrEqual(accepted)
    const told = `select data ->> 'reservationId' as booking from notification where membership_id = ${school.student.orgUserId}`
    expect(new Set((await rows(env, told)).map(({ booking }) => booking)).size).toBe(booked)
    expect(await rows(env, told)).toHaveLength(booked)
    expect(env.workers.mails(school.student.email)).toHaveLength(booked)
  })
})

/** Makes the queues unreachable for those who add jobs, while the database takes commits. */
async function closeQueues({ backend: { redis }, api }: BillingEnv) {
  if (redis) {
    await redis.kill()
    return { asked: async () => {}, open: () => redis.restart() }
  }
  const client = await api.core.database.pool.connect()
  await client.query('begin; lock table bullmq.job in exclusive mode')
  return {
    asked: async () => {
      await until(async () => (await waitingFor(client)).length > 0)
    },
    open: async () => {
      // The statements of the killed process end with it.
      for (const pid of await waitingFor(client)) await client.query('select pg_terminate_backend($1)', [pid])
      await client.query('rollback')
      client.release()
    },
  }
}

async function rows({ api }: BillingEnv, query: string): Promise<Record<string, unknown>[]> {
  return (await api.core.database.pool.query(query)).rows
}
