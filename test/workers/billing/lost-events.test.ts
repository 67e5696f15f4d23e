import { describe, expect } from 'vitest'
import { lookAtAccounts } from '../../../src/shared/billing/payments/receive-lost-events.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { buildSchool, type School } from '../../support/builders.ts'
import { eventually } from '../../support/eventually.ts'
import { billingTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'

interface Invoice {
  id: number
  status: string
  payUrl: string
  processor: { invoiceId: string }
}

const test = billingTest({ env: { PROCESSOR_WAIT_MS: '3000' } })
  .extend('look', ({ env }) => (id: number, school: School = env.school) => {
    return expectOk<Invoice>(env.api, school.admin, 'GET', `/invoices/${id}`)
  })

  /** Raises an invoice of 25,000 cents that is paid by card, while webhooks work; then they work no more. */
  .extend('paidByCard', ({ env, look }) => async (school: School = env.school): Promise<Invoice> => {
    await env.simulator.setWebhookUrl(`${env.api.app.listeningOrigin}/webhooks/stripe`)
    const { id, payUrl } = await expectOk<Invoice>(env.api, school.admin, 'POST', '/invoices', {
      customer: { orgUserId: school.student.orgUserId },
      items: [{ description: 'Ground school', unitPrice: 25_000 }],
    })
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    const paid = await eventually(
      () => look(id, school),
      ({ status }) => status === 'paid',
    )
    await env.workers.settled()
    await env.simulator.setWebhookUrl(null)
    return paid
  })

  /** Enqueues the looks that are due as if so many hours had passed. Returns how many there are. */
  .extend('startLooks', ({ env }) => async (hours: number): Promise<number> => {
    const clock = () => new Date(Date.now() + hours * 3_600_000)
    const { result, enqueued } = await inTransaction(env.api.core.database, clock, lookAtAccounts)
    env.api.core.relay.publish(enqueued.map((job) => ({ ...job, availableAt: new Date() })))
    await env.api.core.relay.drain()
    return result
  })

  /** Waits for every job, also for those that the database believes due later. */
  .extend('looksDone', ({ env }) => async (): Promise<void> => {
    const left = () => env.api.core.database.pool.query('select job from outbox where failed_at is null')
    await eventually(left, ({ rowCount }) => rowCount === 0)
  })

  /** Up to when the events of each account were read. */
  .extend('bookmarks', ({ env }) => async (): Promise<Map<string | null, Date | null>> => {
    const { rows } = await env.api.core.database.pool.query('select account, read_until from gateway_event_sweep')
    return new Map(rows.map(({ account, read_until }) => [account, read_until]))
  })

  .extend('requests', ({ env }) => async (path: string): Promise<number> => {
    const { requests } = await env.simulator.everything()
    return requests.filter((request) => request.path.startsWith(path)).length
  })

test.beforeEach(({ env }) => env.api.core.database.pool.query('delete from gateway_event_sweep'))
test.afterEach(({ env }) => env.simulator.clearFaults())

describe('money that moves at the payment processor while no webhook comes (decision 32)', () => {
  test('is found: a refund, and a dispute that is lost after the look that found it', async ({
    env,
    look,
    paidByCard,
    startLooks,
    looksDone,
  }) => {
    const [refunded, disputed] = [await paidByCard(), await paidByCard()]
    await env.simulator.setWebhookUrl(null)
    await env.simulator.move(refunded.processor.invoiceId, 'refund', 5_000)
    const dispute = await env.simulator.move(disputed.processor.invoiceId, 'dispute', 7_000)
    expect(await startLooks(0)).toBe(1)
    await looksDone()
    expect(await look(refunded.id)).toMatchObject({ status: 'paid', refundedCents: 5_000, creditedCents: 5_000 })
    expect(await look(disputed.id)).toMatchObject({ status: 'paid', dispute: { status: 'open', amountCents: 7_000 } })

    await env.simulator.closeDispute(dispute.id, 'lost')
    expect(await startLooks(7)).toBe(1)
    await looksDone()
    expect(await look(disputed.id)).toMatchObject({
      status: 'open',
      amountPaidCents: 18_000,
      amountDueCents: 7_000,
      dispute: { status: 'lost', amountCents: 7_000 },
    })
  })

  test('is read once: a look finds nothing new twice, and asks for no invoice then', async ({
    env,
    look,
    paidByCard,
    startLooks,
    looksDone,
    requests,
  }) => {
    const { id, processor } = await paidByCard()
    await env.simulator.move(processor.invoiceId, 'refund', 5_000)
    await startLooks(0)
    await looksDone()
    const [listed, read] = [await requests('/v1/events'), await requests('/v1/invoices')]
    expect(await startLooks(1)).toBe(0)
    expect(await startLooks(7)).toBe(1)
    await looksDone()
    expect([await requests('/v1/events'), await requests('/v1/invoices')]).toEqual([listed + 1, read])
    expect(await look(id)).toMatchObject({ status: 'paid', refundedCents: 5_000, creditedCents: 5_000 })
  })

  test('is found in the account of the school, and changes nothing in another one', async ({
    env,
    look,
    paidByCard,
    startLooks,
    looksDone,
    bookmarks,
  }) => {
    const own = await paidByCard()
    const [one, other] = [await buildSchool(env.api), await buildSchool(env.api)]
    const accounts = [await connect(env, one), await connect(env, other)]
    const [first, second] = [await paidByCard(one), await paidByCard(other)]
    await env.simulator.move(first.processor.invoiceId, 'refund', 5_000)
    expect(await startLooks(0)).toBe(3)
    await looksDone()
    expect(await look(first.id, one)).toMatchObject({ refundedCents: 5_000, creditedCents: 5_000 })
    expect(await look(second.id, other)).toMatchObject({ refundedCents: 0, creditedCents: 0, amountPaidCents: 25_000 })
    expect(await look(own.id)).toMatchObject({ refundedCents: 0, creditedCents: 0, amountPaidCents: 25_000 })
    const read = await bookmarks()
    expect([...read.keys()].sort()).toEqual([null, ...accounts].sort())
    expect([...read.values()].every((until) => until !== null)).toBe(true)
  })

  test('is not looked for in an account where nothing was billed', async ({ env, startLooks, bookmarks }) => {
    const before = await startLooks(0)
    await buildSchool(env.api, { settings: { stripeAccountId: 'acct_new', stripeAccountReady: true } })
    expect([await startLooks(0), (await bookmarks()).has('acct_new'), before > 0]).toEqual([0, false, true])
  })

  test('waits while the processor is down: the bookmark stays, and the next look finds it', async ({
    env,
    look,
    paidByCard,
    startLooks,
    looksDone,
    bookmarks,
    requests,
  }) => {
    const { id, processor } = await paidByCard()
    await env.simulator.move(processor.invoiceId, 'refund', 5_000)
    await env.simulator.fault({ match: 'GET /v1/events', kind: '500', times: 1_000 })
    const before = await requests('/v1/events')
    const looks = await startLooks(0)
    await eventually(
      () => requests('/v1/events'),
      (count) => count >= before + looks,
    )
    expect((await bookmarks()).get(null)).toBeNull()
    expect(await look(id)).toMatchObject({ refundedCents: 0 })
    await env.simulator.clearFaults()
    await looksDone()
    expect((await bookmarks()).get(null)).toBeInstanceOf(Date)
    expect(await look(id)).toMatchObject({ refundedCents: 5_000, creditedCents: 5_000 })
  })

  test('is not asked for in an account that is no longer connected, and the bookmark stays', async ({
    env,
    paidByCard,
    startLooks,
    looksDone,
    bookmarks,
  }) => {
    await paidByCard()
    const { organizationId } = await buildSchool(env.api)
    const { pool } = env.api.core.database
    await pool.query("insert into gateway_event_sweep (organization_id, account) values ($1, 'acct_gone')", [
      organizationId,
    ])
    expect(await startLooks(0)).toBeGreaterThanOrEqual(2)
    await looksDone()
    const read = await bookmarks()
    expect(read.get('acct_gone')).toBeNull()
    expect(read.get(null)).toBeInstanceOf(Date)
  })
})

/** Opens an account at the processor for a school, and makes it ready. */
async function connect(env: { api: Parameters<typeof expectOk>[0] }, school: School): Promise<string> {
  const open = () =>
    expectOk<{ accountId: string; onboardingUrl: string | null }>(
      env.api,
      school.admin,
      'POST',
      '/integrations/stripe/connect',
    )
  const { accountId, onboardingUrl } = await open()
  await fetch(onboardingUrl ?? '', { method: 'POST', redirect: 'manual' })
  await open()
  return accountId
}
