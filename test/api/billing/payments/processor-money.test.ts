import { describe, expect } from 'vitest'
import { followMoney } from '../../../../src/shared/billing/payments/follow-money.ts'
import { findInvoiceAtGateway } from '../../../../src/shared/billing/payments/payment.queries.ts'
import { inTransaction } from '../../../../src/shared/platform/db/transaction.ts'
import type { Member } from '../../../support/builders.ts'
import { eventually } from '../../../support/eventually.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { forged, sendEvent } from '../../../support/gateway-events.ts'
import { stripeClient } from '../../../support/stripe-simulator.ts'

interface Invoice {
  id: number
  status: string
  payUrl: string
  amountPaidCents: number
  refundedCents: number
  creditedCents: number
  payments: { amountCents: number }[]
  processor: { invoiceId: string }
}

/** An invoice with its payments by amount: those of one moment have no order. */
const sorted = (invoice: Invoice) => ({
  ...invoice,
  payments: invoice.payments.toSorted((a, b) => a.amountCents - b.amountCents),
})

const items = [{ description: 'Ground school', unitPrice: 25_000 }]

const test = billingTest()
  .extend(
    'raise',
    ({ env: { api, school } }) =>
      () =>
        expectOk<Invoice>(api, school.admin, 'POST', '/invoices', {
          customer: { orgUserId: school.student.orgUserId },
          items,
        }),
  )
  .extend(
    'look',
    ({ env: { api, school } }) =>
      (id: number) =>
        expectOk<Invoice>(api, school.admin, 'GET', `/invoices/${id}`),
  )
  .extend(
    'until',
    ({ look }) =>
      (id: number, fits: (invoice: Invoice) => boolean) =>
        eventually(() => look(id), fits),
  )
  /** The invoices that the processor has of one invoice, oldest first, with what each asks for or was paid. */
  .extend('copies', ({ env }) => async (id: number) => {
    const { invoices } = await env.simulator.everything()
    return invoices
      .filter(({ metadata }) => Number(metadata?.invoiceId) === id)
      .map(({ status, amount_due }) => [status, amount_due])
  })
  /** Paid, and the payment's own events have been followed. */
  .extend('byCard', ({ env: { workers }, raise, until }) => async () => {
    const { id, payUrl } = await raise()
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    const paid = await until(id, ({ status }) => status === 'paid')
    await workers.settled()
    return paid
  })

describe('what the payment processor does on its own (§Invoices)', () => {
  test('a part payment there is shown, and the rest settles the invoice', async ({ env, raise, until }) => {
    const { id, payUrl, processor } = await raise()
    await env.simulator.move(processor.invoiceId, 'pay', 10_000)
    expect(await until(id, ({ amountPaidCents }) => amountPaidCents > 0)).toMatchObject({
      status: 'open',
      amountPaidCents: 10_000,
      amountDueCents: 15_000,
      payUrl,
      payments: [{ amountCents: 10_000, method: 'card', recordedBy: null }],
    })
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    expect(await until(id, ({ status }) => status === 'paid')).toMatchObject({
      amountPaidCents: 25_000,
      amountDueCents: 0,
      overpaidCents: 0,
      payments: [{ amountCents: 10_000 }, { amountCents: 15_000 }],
    })
  })

  test.for(['customer_balance', 'us_bank_account', 'sepa_debit'])(
    'what is paid there by %s is no card, and the processor gives it back',
    async (method, { env: { api, school, simulator, workers }, raise, until, look }) => {
      const { id, payUrl, processor } = await raise()
      await simulator.move(processor.invoiceId, 'pay', 10_000, { method })
      await until(id, ({ amountPaidCents }) => amountPaidCents > 0)
      await fetch(payUrl, { method: 'POST', redirect: 'manual' })
      const methods = [
        { amountCents: 10_000, method: 'other', recordedBy: null },
        { amountCents: 15_000, method: 'card' },
      ]
      expect(sorted(await until(id, ({ status }) => status === 'paid'))).toMatchObject({ payments: methods })
      const all = { amountCents: 25_000, reason: 'All of it', refund: 'processor' }
      await expectOk(api, school.admin, 'POST', `/invoices/${id}/creditNotes`, all)
      await workers.settled()
      expect(await look(id)).toMatchObject({ refundedCents: 25_000 })

      const whole = await raise()
      await simulator.move(whole.processor.invoiceId, 'pay', 25_000, { method })
      expect(await until(whole.id, ({ status }) => status === 'paid')).toMatchObject({
        settlement: 'processor',
        paymentMethod: 'other',
        payments: [{ amountCents: 25_000, method: 'other' }],
      })
    },
  )

  test('a refund there is credited, so that nothing is due again, and can not go back twice', async ({
    env: { api, school, simulator, workers },
    byCard,
    until,
  }) => {
    const { id, processor } = await byCard()
    await simulator.move(processor.invoiceId, 'refund', 5_000)
    expect(await until(id, ({ refundedCents }) => refundedCents > 0)).toMatchObject({
      status: 'paid',
      refundedCents: 5_000,
      creditedCents: 5_000,
      amountDueCents: 0,
      creditCents: 0,
    })
    expect(await expectOk(api, school.admin, 'GET', `/invoices/${id}/creditNotes`)).toMatchObject([
      { amountCents: 5_000, refund: 'processor', refundStatus: 'succeeded', refundedCents: 5_000 },
    ])
    const all = { amountCents: 20_001, reason: 'All of it', refund: 'processor' }
    const beyond = await api.as(school.admin).post(`/invoices/${id}/creditNotes`, all)
    expect([beyond.statusCode, beyond.json().code]).toEqual([409, 'CREDIT_EXCEEDS'])
    await expectOk(api, school.admin, 'POST', `/invoices/${id}/creditNotes`, { ...all, amountCents: 20_000 })
    await workers.settled()
    const given = (await simulator.everything()).refunds.map(({ amount }) => amount)
    expect(given.slice(-2)).toEqual([5_000, 20_000])
  })

  test('an open dispute changes no figure; a lost one is a reversed payment, and the rest is due again', async ({
    env,
    byCard,
    until,
  }) => {
    const { id, processor, payUrl } = await byCard()
    const dispute = await env.simulator.move(processor.invoiceId, 'dispute', 25_000)
    const disputed = await until(id, (one) => (one as Invoice & { dispute: object | null }).dispute !== null)
    expect(disputed).toMatchObject({
      status: 'paid',
      amountPaidCents: 25_000,
      refundedCents: 0,
      dispute: { status: 'open', amountCents: 25_000 },
    })
    await env.simulator.closeDispute(dispute.id, 'lost')
    const open = await until(id, ({ status }) => status === 'open')
    expect(open).toMatchObject({
      paid: false,
      amountPaidCents: 0,
      amountDueCents: 25_000,
      dispute: { status: 'lost', amountCents: 25_000 },
      payments: [{ amountCents: 25_000, reversedCents: 25_000 }],
    })
    expect(open.payUrl).not.toBe(payUrl)
    await env.workers.settled()
    expect((await env.simulator.everything()).refunds.filter(({ amount }) => amount === 25_000)).toEqual([])
    await fetch(open.payUrl, { method: 'POST', redirect: 'manual' })
    expect(await until(id, ({ status }) => status === 'paid')).toMatchObject({ amountPaidCents: 25_000 })
  })

  test('a dispute is told to admins and waits on their to-do list until it is closed; that it is lost is told too', async ({
    env: { api, school, simulator, workers },
    byCard,
    until,
  }) => {
    const { id, processor } = await byCard()
    const disputes = async (who: Member) => {
      const items = await expectOk<{ kind: string; subject: { id: number } }[]>(api, who, 'GET', '/todo/me')
      return items.filter(({ kind, subject }) => kind === 'answer_dispute' && subject.id === id)
    }
    const told = async (who: Member) => {
      const rows = await expectOk<{ kind: string; data: { invoiceId?: number } }[]>(api, who, 'GET', '/notifications')
      return rows.filter(({ kind, data }) => /dispute/.test(kind) && data.invoiceId === id).map(({ kind }) => kind)
    }
    const evidenceDueBy = Date.parse('2026-12-06T04:59:59Z') / 1000
    const dispute = await simulator.move(processor.invoiceId, 'dispute', 25_000, { evidenceDueBy })
    const disputed = await until(id, (one) => (one as Invoice & { dispute: object | null }).dispute !== null)
    await workers.settled()
    const dueAt = '2026-12-06T04:59:59.000Z'
    expect(disputed).toMatchObject({ dispute: { status: 'open', amountCents: 25_000, evidenceDueAt: dueAt } })
    expect(await disputes(school.admin)).toMatchObject([{ dueAt, action: { method: 'GET', path: `/invoices/${id}` } }])
    expect([await disputes(school.dispatcher), await disputes(school.student)]).toEqual([[], []])
    expect([await told(school.admin), await told(school.owner)]).toEqual([['invoice_disputed'], ['invoice_disputed']])
    expect([await told(school.dispatcher), await told(school.student)]).toEqual([[], []])
    await simulator.closeDispute(dispute.id, 'lost')
    await until(id, ({ status }) => status === 'open')
    await workers.settled()
    expect(await disputes(school.admin)).toEqual([])
    expect((await told(school.admin)).toSorted()).toEqual(['dispute_lost', 'invoice_disputed'])
  })

  test('a dispute that is won leaves the payment', async ({ env, byCard, until }) => {
    const { id, processor } = await byCard()
    const dispute = await env.simulator.move(processor.invoiceId, 'dispute', 25_000)
    await env.simulator.closeDispute(dispute.id, 'won')
    const won = await until(id, (one) => (one as never as { dispute: { status: string } }).dispute?.status === 'won')
    expect(won).toMatchObject({ status: 'paid', amountPaidCents: 25_000 })
  })

  test('comes to the same when its events arrive in the wrong order', async ({ env, raise, until }) => {
    const { id, payUrl, processor } = await raise()
    await env.simulator.hold()
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    await env.simulator.move(processor.invoiceId, 'refund', 5_000)
    const dispute = await env.simulator.move(processor.invoiceId, 'dispute', 20_000)
    await env.simulator.closeDispute(dispute.id, 'lost')
    await env.simulator.release('newest_first')
    const after = await until(
      id,
      ({ amountPaidCents, status, refundedCents }) =>
        status === 'open' && amountPaidCents === 5_000 && refundedCents > 0,
    )
    // Paid 25,000, of which 5,000 went back and are credited, and 20,000 were lost: these are due again.
    expect(after).toMatchObject({ creditedCents: 5_000, refundedCents: 5_000, amountDueCents: 20_000 })
  })

  test('what comes in above what is due goes back by itself', async ({
    env: { api, school, simulator, workers },
    raise,
    look,
    until,
    copies,
  }) => {
    const { id, payUrl, processor } = await raise()
    await simulator.move(processor.invoiceId, 'pay', 10_000)
    await until(id, ({ amountPaidCents }) => amountPaidCents === 10_000)
    await simulator.hold()
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    // The job that ends the copy of 25,000 finds it paid, before a webhook says so; one of 5,000 may be there by then.
    await expectOk(api, school.admin, 'POST', `/invoices/${id}/payments`, { amountCents: 10_000, method: 'cash' })
    await until(id, ({ status }) => status === 'paid')
    await workers.settled()
    const paid = {
      amountPaidCents: 35_000,
      refundedCents: 10_000,
      overpaidCents: 0,
      amountDueCents: 0,
      creditCents: 0,
      payments: [{ amountCents: 10_000 }, { amountCents: 10_000 }, { amountCents: 15_000 }],
    }
    expect(sorted(await look(id))).toMatchObject(paid)
    const { refunds } = await simulator.everything()
    expect(refunds.at(-1)?.amount).toBe(10_000)
    const [first, ...others] = await copies(id)
    expect([first, others.filter((one) => one.join() !== 'void,5000')]).toEqual([['paid', 25_000], []])
    await simulator.release('oldest_first')
    await workers.settled()
    expect(sorted(await look(id))).toMatchObject(paid)
    expect((await simulator.everything()).refunds).toHaveLength(refunds.length)
  })

  test('a lost dispute of less than the processor collects is due without a pay link', async ({
    env,
    byCard,
    until,
  }) => {
    const { id, processor } = await byCard()
    const dispute = await env.simulator.move(processor.invoiceId, 'dispute', 30)
    await env.simulator.closeDispute(dispute.id, 'lost')
    expect(await until(id, ({ amountPaidCents }) => amountPaidCents === 24_970)).toMatchObject({
      status: 'open',
      amountDueCents: 30,
      payUrl: null,
    })
    await env.workers.settled()
    expect(await until(id, () => true)).toMatchObject({ status: 'open', amountDueCents: 30, payUrl: null })
  })

  test('an event of another account that names our payment changes nothing', async ({ env, byCard, look }) => {
    const { id, processor } = await byCard()
    const { data } = await stripeClient(env.simulator).invoicePayments.list({ invoice: processor.invoiceId })
    const event = (await stripeClient(env.simulator).events.list({ limit: 1 })).data[0]!
    const object = { object: 'refund', invoice: processor.invoiceId, payment_intent: data[0]!.payment.payment_intent }
    for (const type of ['invoice_payment.paid', 'refund.created', 'charge.dispute.closed']) {
      const body = forged(event, { type, account: 'acct_other' }, object)
      expect((await sendEvent(env.api, body)).statusCode).toBe(200)
    }
    await env.workers.settled()
    expect(await look(id)).toMatchObject({ status: 'paid', amountPaidCents: 25_000, refundedCents: 0, dispute: null })
  })
})

const notOurs = [
  [
    'in another currency',
    "update invoice set currency = 'eur' where id = $1",
    "update invoice set currency = 'usd' where id = $1",
  ],
  [
    'of another customer',
    "update gateway_customer c set customer_id = customer_id || 'x' from invoice i where i.id = $1 and c.membership_id = i.membership_id",
    'update gateway_customer c set customer_id = left(customer_id, -1) from invoice i where i.id = $1 and c.membership_id = i.membership_id',
  ],
  ['of an invoice that we did not raise', "update invoice set gateway_keys = '{inv_ours}' where id = $1", null],
] as const

describe('money at the processor (decision 32)', () => {
  test.for(notOurs)(
    '%s changes nothing',
    async ([, change, back], { env: { api, simulator, workers }, byCard, look }) => {
      const { id, processor } = await byCard()
      const { pool } = api.core.database
      await pool.query(change, [id])
      await simulator.move(processor.invoiceId, 'refund', 5_000)
      const dispute = await simulator.move(processor.invoiceId, 'dispute', 5_000)
      await simulator.closeDispute(dispute.id, 'lost')
      const events = () => pool.query("select from gateway_event where type = 'charge.dispute.closed'")
      await eventually(events, ({ rowCount }) => Number(rowCount) > 0)
      await workers.settled()
      expect(await look(id)).toMatchObject({
        status: 'paid',
        amountPaidCents: 25_000,
        refundedCents: 0,
        creditedCents: 0,
        dispute: null,
      })
      if (back) await pool.query(back, [id])
    },
  )

  test.for(notOurs)('%s pays no invoice', async ([, change, back], { env: { api, workers }, raise, look }) => {
    const { id, payUrl } = await raise()
    const { pool } = api.core.database
    await pool.query(change, [id])
    const events = async () => (await pool.query("select from gateway_event where type = 'invoice.paid'")).rowCount
    const before = Number(await events())
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    await eventually(events, (count) => Number(count) > before)
    await workers.settled()
    expect(await look(id)).toMatchObject({ status: 'open', amountPaidCents: 0, payments: [] })
    if (back) await pool.query(back, [id])
  })

  test('that was read before a newer reading was stored counts no more, and is read again', async ({
    env: { api, simulator, workers },
    byCard,
    look,
  }) => {
    const { id, processor } = await byCard()
    const { database, gateway, clock } = api.core
    const at = { gatewayInvoiceId: processor.invoiceId, payment: null, reference: null }
    const found = (await findInvoiceAtGateway(database.db, null, at))!
    const older = await gateway.readMoney({ account: null, gatewayInvoiceId: processor.invoiceId })
    const dispute = await simulator.move(processor.invoiceId, 'dispute', 5_000)
    await simulator.closeDispute(dispute.id, 'lost')
    const lost = { amountPaidCents: 20_000, amountDueCents: 5_000 }
    await eventually(
      () => look(id),
      ({ amountPaidCents }) => amountPaidCents === 20_000,
    )
    await workers.settled()
    // Without the comparison the older reading, without the dispute, would give the 5,000 back to the school.
    const { result } = await inTransaction(database, clock, (tx) => followMoney(tx, found, older))
    expect(result).toBe('changed')
    expect(await look(id)).toMatchObject(lost)
  })

  test('that goes back at the dashboard while our refund is under way counts once, and never above what came', async ({
    env: { api, school, simulator, workers },
    byCard,
    look,
  }) => {
    const { id, processor } = await byCard()
    await simulator.hold()
    await simulator.move(processor.invoiceId, 'refund', 22_000)
    const credit = { amountCents: 10_000, reason: 'Late', refund: 'processor' }
    await expectOk(api, school.admin, 'POST', `/invoices/${id}/creditNotes`, credit)
    await workers.settled()
    // Ours gave back the 3,000 that were left; the rest of the 25,000 went back there, and is credited as far as anything is left.
    const all = { refundedCents: 25_000, creditedCents: 25_000, amountDueCents: 0, creditCents: 0 }
    expect(await look(id)).toMatchObject(all)
    await simulator.release('newest_first')
    await workers.settled()
    expect(await look(id)).toMatchObject(all)
  })
})

describe('an invoice that is paid in part at the processor (decision 32)', () => {
  const partly = test.extend('paidInPart', ({ env: { simulator }, raise, until }) => async () => {
    const { id, payUrl, processor } = await raise()
    await simulator.move(processor.invoiceId, 'pay', 10_000)
    await until(id, ({ amountPaidCents }) => amountPaidCents === 10_000)
    return { id, payUrl, at: processor.invoiceId }
  })

  partly(
    'stays there when the part is refunded there: the rest is due as before, and is paid there',
    async ({ env: { simulator, workers }, paidInPart, until, look, copies }) => {
      const { id, payUrl, at } = await paidInPart()
      await simulator.move(at, 'refund', 10_000)
      const after = await until(id, ({ refundedCents }) => refundedCents > 0)
      // 25,000 less the credit of 10,000, less 10,000 paid, plus 10,000 refunded.
      expect(after).toMatchObject({ status: 'open', creditedCents: 10_000, amountDueCents: 15_000, payUrl })
      await fetch(payUrl, { method: 'POST', redirect: 'manual' })
      await until(id, ({ status }) => status === 'paid')
      await workers.settled()
      expect(await look(id)).toMatchObject({ amountPaidCents: 25_000, amountDueCents: 0, creditCents: 0 })
      expect(await copies(id)).toEqual([['paid', 25_000]])
    },
  )

  partly(
    'is replaced by one of what is due when cash is recorded after that',
    async ({ env: { api, school, simulator, workers }, paidInPart, until, copies }) => {
      const { id, payUrl, at } = await paidInPart()
      await simulator.move(at, 'refund', 10_000)
      await until(id, ({ refundedCents }) => refundedCents > 0)
      const cash = { amountCents: 6_000, method: 'cash' }
      const recorded = await expectOk<Invoice>(api, school.admin, 'POST', `/invoices/${id}/payments`, cash)
      expect(recorded).toMatchObject({ status: 'open', amountDueCents: 9_000 })
      expect(recorded.payUrl).not.toBe(payUrl)
      await workers.settled()
      // Nobody can pay the first any more: its rest counts as paid past the processor.
      expect(await copies(id)).toEqual([
        ['paid', 25_000],
        ['open', 9_000],
      ])
      await fetch(recorded.payUrl, { method: 'POST', redirect: 'manual' })
      expect(await until(id, ({ status }) => status === 'paid')).toMatchObject({ amountPaidCents: 25_000 })
    },
  )

  partly(
    'keeps what was refunded there when the rest is paid by another copy, of which more is refunded then',
    async ({ env: { api, school, simulator, workers }, paidInPart, until, look }) => {
      const { id, at } = await paidInPart()
      await simulator.move(at, 'refund', 4_000)
      await until(id, ({ refundedCents }) => refundedCents === 4_000)
      const cash = { amountCents: 6_000, method: 'cash' }
      const { payUrl, processor } = await expectOk<Invoice>(api, school.admin, 'POST', `/invoices/${id}/payments`, cash)
      await fetch(payUrl, { method: 'POST', redirect: 'manual' })
      await until(id, ({ status }) => status === 'paid')
      await workers.settled()
      // 25,000 less the credit of 4,000, less 10,000 by card and 6,000 in cash, plus 4,000 refunded: 9,000 by the second copy.
      const paid = { amountPaidCents: 25_000, creditedCents: 4_000, refundedCents: 4_000, creditCents: 0 }
      expect(await look(id)).toMatchObject(paid)
      await simulator.move(processor.invoiceId, 'refund', 1_000)
      const after = await until(id, ({ refundedCents }) => refundedCents !== 4_000)
      expect(after).toMatchObject({
        amountPaidCents: 25_000,
        creditedCents: 5_000,
        refundedCents: 5_000,
        creditCents: 0,
      })
    },
  )

  partly(
    'is replaced when the part is charged back, since all of it is due again',
    async ({ env: { simulator, workers }, paidInPart, until, look, copies }) => {
      const { id, payUrl, at } = await paidInPart()
      const dispute = await simulator.move(at, 'dispute', 10_000)
      await simulator.closeDispute(dispute.id, 'lost')
      await until(id, ({ amountPaidCents, status }) => amountPaidCents === 0 && status === 'open')
      await workers.settled()
      const again = await look(id)
      expect(again).toMatchObject({ status: 'open', amountDueCents: 25_000 })
      expect(again.payUrl).not.toBe(payUrl)
      expect(await copies(id)).toEqual([
        ['paid', 25_000],
        ['open', 25_000],
      ])
    },
  )

  partly(
    'is credited for the rest, cannot be paid there any more, and goes back to the card',
    async ({ env: { api, school, simulator, workers }, paidInPart, look, copies }) => {
      const { id } = await paidInPart()
      const credit = (amountCents: number, refund: string) =>
        expectOk(api, school.admin, 'POST', `/invoices/${id}/creditNotes`, { amountCents, refund, reason: 'Cancelled' })
      await credit(5_000, 'none')
      await workers.settled()
      expect(await copies(id)).toEqual([
        ['paid', 25_000],
        ['open', 10_000],
      ])
      await credit(20_000, 'processor')
      await workers.settled()
      // The second is void; the 10,000 that came by the first go back by it.
      expect(await copies(id)).toEqual([
        ['paid', 25_000],
        ['void', 10_000],
      ])
      expect(await look(id)).toMatchObject({
        status: 'paid',
        creditedCents: 25_000,
        refundedCents: 10_000,
        amountDueCents: 0,
        creditCents: 0,
        processor: { error: null },
      })
      expect((await simulator.everything()).refunds.at(-1)?.amount).toBe(10_000)
    },
  )
})
