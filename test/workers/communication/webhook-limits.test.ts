import { describe, expect } from 'vitest'
import { admitAttempt, noteAnswered } from '../../../src/shared/communication/webhooks/attempt-limits.ts'
import { postponeAttempt } from '../../../src/shared/communication/webhooks/finish-attempt.ts'
import { inTransaction, type Tx } from '../../../src/shared/platform/db/transaction.ts'
import { schoolTest } from '../../support/fixtures.ts'

const test = schoolTest()
  .extend('sql', ({ api }) => async <Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> => {
    return (await api.core.database.pool.query<Row>(text, values)).rows
  })
  /** Queues deliveries of a webhook that no worker sends. */
  .extend('queue', ({ school, sql }) => async (count: number): Promise<number[]> => {
    const { organizationId, admin } = school
    const [endpoint] = await sql<{ id: number }>(
      `insert into webhook_endpoint (organization_id, created_by_id, url, events, secret) values ($1, $2, $3, '[]', '') returning id`,
      ...[organizationId, admin.orgUserId, url],
    )
    const rows = await sql<{ id: number }>(
      `with event as (
       insert into webhook_event (organization_id, id, type, subject, at)
       select $1, gen_random_uuid(), 'squawk.opened', 'squawk:' || n, now() from generate_series(1, $3::int) n returning *)
     insert into webhook_delivery (organization_id, endpoint_id, event_id, subject)
     select $1, $2, id, subject from event returning id`,
      ...[organizationId, endpoint!.id, count],
    )
    return rows.map(({ id }) => id)
  })
  .extend(
    'notRunning',
    ({ sql }) =>
      () =>
        sql('update webhook_delivery set sending_until = null'),
  )
  .extend('deliveries', { auto: true }, async ({ sql, queue, notRunning }) => {
    await sql('delete from webhook_rate')
    await notRunning()
    return queue(12)
  })
  .extend('within', ({ api }) => async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    return (await inTransaction(api.core.database, api.core.clock, work)).result
  })
  .extend(
    'admit',
    ({ school, deliveries, within }) =>
      (index = 0, to = url) =>
        within((tx) =>
          admitAttempt(tx, { organizationId: school.organizationId, deliveryId: deliveries[index]!, attempt: 1 }, to),
        ),
  )
  .extend(
    'counted',
    ({ sql }) =>
      (key: string, count: number) =>
        sql(`update webhook_rate set counted = $2 where key like $1`, key, count),
  )

const url = 'https://hooks.example.com/in'
const other = 'https://hooks.example.com/other'

describe('the requests to one host, of all organizations together (decision 18)', () => {
  test('are ten at once', async ({ deliveries, sql, admit }) => {
    const admitted = await Promise.all(deliveries.map((_, index) => admit(index)))
    expect(admitted.filter((waitMs) => waitMs === null)).toHaveLength(10)
    expect(admitted.filter((waitMs) => waitMs === 1_000)).toHaveLength(2)
    await sql('update webhook_delivery set sending_until = now() where id = $1', deliveries[0])
    const left = deliveries.findIndex((_, index) => admitted[index] !== null)
    expect(await admit(left)).toBeNull()
    expect(await sql(`select counted from webhook_rate where key like 'host %'`)).toEqual([{ counted: 11 }])
  })

  test('are 600 a minute', async ({ sql, admit, counted }) => {
    await admit()
    await counted('host %', 599)
    expect(await admit(1)).toBeNull()
    expect(await admit(2, other)).toBeGreaterThan(0)
    await sql("update webhook_rate set resets_at = now() - interval '1 second'")
    expect(await admit(2, other)).toBeNull()
  })
})

test('what a limit keeps waiting is told to operators, with its age, and to the organization with its time', async ({
  api,
  school,
  deliveries,
  sql,
  within,
}) => {
  const [first, second] = deliveries
  const { organizationId } = school
  const [active] = await sql<{ endpointId: number }>(
    `update webhook_delivery set state = 'active', attempt = 1, job_id = gen_random_uuid(), created_at = now() - interval '150 seconds'
     where id = $1 returning endpoint_id as "endpointId"`,
    first,
  )
  const attempt = { organizationId, deliveryId: first!, attempt: 1, endpointId: active!.endpointId }
  await within((tx) => postponeAttempt(tx, attempt, 45_000))
  const [row] = await sql('select state, error, next_attempt_at from webhook_delivery where id = $1', first)
  expect(row).toEqual({ state: 'waiting', error: null, next_attempt_at: expect.any(Date) })
  await sql(
    "update webhook_delivery set state = 'waiting', job_id = gen_random_uuid(), error = 'status' where id = $1",
    second,
  )
  const headers = { authorization: `Basic ${btoa('ops:ops-password')}` }
  const lines = (await api.call('GET', '/metrics', { headers })).body.split('\n')
  expect(lines).toContain('flightline_webhooks_waiting{state="limit"} 1')
  expect(lines).toContain('flightline_webhooks_waiting{state="failed"} 1')
  const seconds = lines.find((line) => line.startsWith('flightline_webhooks_waiting_seconds{state="limit"}'))
  expect(Number(seconds?.split(' ')[1])).toBeGreaterThanOrEqual(150)
})

describe('the requests to an address (decision 18)', () => {
  test('are 60 an hour until it has answered 2xx once', async ({ within, admit, counted, notRunning }) => {
    await admit()
    await notRunning()
    await counted('address %', 60)
    expect(await admit(1)).toBeGreaterThan(60_000)
    expect(await admit(2, other)).toBeNull()
    await within((tx) => noteAnswered(tx, url))
    expect(await admit(1)).toBeNull()
  })

  test('are counted under a hash, since the address may carry a token', async ({ sql, admit }) => {
    await admit(0, `${url}?token=canary`)
    expect(JSON.stringify(await sql('select * from webhook_rate'))).not.toContain('canary')
  })
})
