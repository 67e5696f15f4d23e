import { describe, expect } from 'vitest'
import { reconcile } from '../../../src/shared/billing/invoices/reconcile.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { until } from '../../support/eventually.ts'
import { billingTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'

interface Invoice {
  id: number
  status: string
  payUrl: string
}

const test = billingTest()

  .extend(
    'raise',
    ({ env }) =>
      (): Promise<Invoice> =>
        expectOk<Invoice>(env.api, env.school.admin, 'POST', '/invoices', {
          customer: { orgUserId: env.school.student.orgUserId },
          items: [{ description: 'Books', unitPrice: 4500 }],
        }),
  )

  .extend('left', ({ env }) => async (): Promise<number> => {
    const { rows } = await env.api.core.database.pool.query('select count(*)::int as count from outbox')
    return rows[0].count
  })

  /** Runs the reconciliation as if so many hours had passed, and waits for the jobs that it enqueues. */
  .extend('reconcileAfter', ({ env, left }) => async (hours: number): Promise<number> => {
    const clock = () => new Date(Date.now() + hours * 3_600_000)
    const { result, enqueued } = await inTransaction(env.api.core.database, clock, reconcile)
    const now = enqueued.map((job) => ({ ...job, availableAt: new Date() }))
    env.api.core.relay.publish(now)
    await env.api.core.relay.drain()
    await env.workers.settled()
    // A job that is due later is not waited for.
    await until(async () => (await left()) === 0)
    return result
  })

  .extend(
    'look',
    ({ env }) =>
      (id: number) =>
        expectOk<Invoice>(env.api, env.school.admin, 'GET', `/invoices/${id}`),
  )

describe('comparing with the processor', () => {
  test('finds what was paid and voided there while no event came', async ({ raise, env, look, reconcileAfter }) => {
    const [paid, gone, open] = [await raise(), await raise(), await raise()]
    await env.simulator.setWebhookUrl(null)
    await fetch(paid.payUrl, { method: 'POST', redirect: 'manual' })
    const { processor } = (await look(gone.id)) as unknown as { processor: { invoiceId: string } }
    await env.api.core.gateway.voidInvoice({ account: null, gatewayInvoiceId: processor.invoiceId })
    expect([(await look(paid.id)).status, (await look(gone.id)).status]).toEqual(['open', 'open'])
    expect(await reconcileAfter(7)).toBeGreaterThanOrEqual(3)
    expect(await look(paid.id)).toMatchObject({ status: 'paid', paymentMethod: 'card', amountPaidCents: 4500 })
    expect(await look(gone.id)).toMatchObject({ status: 'void' })
    expect(await look(open.id)).toMatchObject({ status: 'open' })
  })

  test('does not ask again about what was looked at just now', async ({ raise, reconcileAfter }) => {
    await raise()
    expect(await reconcileAfter(0)).toBe(0)
    await reconcileAfter(7)
    expect(await reconcileAfter(8)).toBe(0)
    expect(await reconcileAfter(14)).toBeGreaterThan(0)
  })

  test('raises what was left behind, and leaves alone what a job is still at', async ({
    raise,
    env,
    reconcileAfter,
    look,
  }) => {
    const { id } = await raise()
    const { pool } = env.api.core.database
    await pool.query("update invoice set status = 'pending', gateway_invoice_id = null, number = null where id = $1", [
      id,
    ])
    expect(await reconcileAfter(1)).toBe(1)
    expect(await look(id)).toMatchObject({ status: 'open' })
    const { invoices } = await env.simulator.everything()
    expect(invoices.filter(({ metadata }) => metadata?.invoiceId === String(id))).toHaveLength(1)
  })
})
