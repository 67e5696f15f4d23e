import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findInvoiceToRaise } from '../../src/shared/billing/invoices/invoice-to-issue.queries.ts'
import { recordGatewayInvoice } from '../../src/shared/billing/invoices/record-gateway-invoice.ts'
import { followMoneyAtGateway } from '../../src/shared/billing/payments/payments.jobs.ts'
import type { IssuedInvoice } from '../../src/shared/platform/adapters/payments/payment-gateway.port.ts'
import { inTransaction } from '../../src/shared/platform/db/transaction.ts'
import type { JobTools } from '../../src/shared/platform/jobs/job-tools.ts'
import { followMoneyAtGatewayProcessor } from '../../src/workers/billing/payments/payments.processor.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { eventually } from '../support/eventually.ts'
import { expectOk, flownBy } from '../support/flights.ts'
import { eventOf, forged, sendEvent } from '../support/gateway-events.ts'
import { expectSameFigures } from '../support/reconcile.ts'
import { stripeClient } from '../support/stripe-simulator.ts'
import { startTestWorkers } from '../support/workers.ts'

interface Billed {
  id: number
  status: string
  number: number | null
}

interface Raised {
  invoice: Billed
  raised: IssuedInvoice
}

describe('an event that is faster than the commit of the worker who raised the invoice', () => {
  let env: BillingEnv
  beforeAll(async () => {
    env = await startBilling('postgres', { workers: false })
  })
  afterAll(() => env.close())

  /** An invoice that is pending here, and what the processor answered about it to a worker that has not committed yet. */
  async function raisedUncommitted(day: number): Promise<Raised> {
    const { api, school } = env
    const flight = await flownBy(api, school, day)
    const [invoice] = await expectOk<Billed[]>(api, school.admin, 'POST', `/reservations/${flight.id}/invoices`)
    const request = await findInvoiceToRaise(api.core.database.db, firstLinesOf(invoice!))
    return { invoice: invoice!, raised: await api.core.gateway.issueInvoice(request!) }
  }

  const firstLinesOf = ({ id }: Billed) => ({
    organizationId: env.school.organizationId,
    invoiceId: id,
    revision: 0,
  })
  const look = ({ id }: Billed) => expectOk<Billed>(env.api, env.school.admin, 'GET', `/invoices/${id}`)

  /** Runs the jobs of the events so far, and no other: the worker who raises the invoice is still at it. */
  async function follow(): Promise<void> {
    const { core } = env.workers
    const transaction: JobTools['transaction'] = async (work) =>
      (await inTransaction(core.database, core.clock, work)).result
    const tools: JobTools = { ...core, log: env.api.log, transaction }
    const { rows } = await core.database.pool.query('select id, payload from outbox where job = $1', [
      followMoneyAtGateway.name,
    ])
    const run = { organizationId: null, attempt: 1, attempts: 16, lastAttempt: false }
    for (const { id, payload } of rows) {
      await followMoneyAtGatewayProcessor(followMoneyAtGateway.payload.parse(payload), tools, { id, ...run })
    }
  }

  async function lookAfterEvents(invoice: Billed): Promise<Billed> {
    await follow()
    return look(invoice)
  }

  async function commitLate({ invoice, raised }: Raised): Promise<void> {
    const { database, clock } = env.api.core
    await inTransaction(database, clock, (tx) => recordGatewayInvoice(tx, firstLinesOf(invoice), raised, []))
  }

  test('counts only when it comes from the account that the invoice is billed through', async () => {
    const { invoice, raised } = await raisedUncommitted(2)
    await env.simulator.hold()
    await fetch(raised.payUrl, { method: 'POST', redirect: 'manual' })
    const paid = await eventOf(env.simulator, raised.gatewayInvoiceId, 'invoice.paid')
    for (const changes of [{ id: 'in_theirs' }, {}]) {
      expect((await sendEvent(env.api, forged(paid, { account: 'acct_other' }, changes))).statusCode).toBe(200)
    }
    expect(await look(invoice)).toMatchObject({ status: 'pending' })
    await follow()
    expect(await look(invoice)).toMatchObject({ status: 'pending' })
    await env.simulator.release('oldest_first')
    await follow()
    expect(await look(invoice)).toMatchObject({ status: 'paid' })
  })

  test('counts: paid stays paid, void stays void, and a second run of the job changes nothing', async () => {
    const [paid, voided] = [await raisedUncommitted(0), await raisedUncommitted(1)]
    await fetch(paid.raised.payUrl, { method: 'POST', redirect: 'manual' })
    await stripeClient(env.simulator).invoices.voidInvoice(voided.raised.gatewayInvoiceId)
    await eventually(
      () => lookAfterEvents(paid.invoice),
      ({ status }) => status === 'paid',
    )
    await eventually(
      () => lookAfterEvents(voided.invoice),
      ({ status }) => status === 'void',
    )

    await commitLate(paid)
    await commitLate(voided)
    const workers = await startTestWorkers(env.api)
    await workers.settled()
    expect(await look(paid.invoice)).toMatchObject({ status: 'paid', number: 2, amountPaidCents: 33_600 })
    expect(await look(voided.invoice)).toMatchObject({ status: 'void', number: null, amountDueCents: 0 })
    await expectSameFigures(env)
    await workers.stop()
  })
})
