import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GatewayRefused, GatewayUnavailable } from '../../src/shared/platform/adapters/payments/gateway-errors.ts'
import type { IssueInvoice, PaymentGateway } from '../../src/shared/platform/adapters/payments/payment-gateway.port.ts'
import { createStripeGateway } from '../../src/shared/platform/adapters/payments/stripe.ts'
import { cents } from '../../src/shared/platform/kernel/units.ts'
import { eventually } from '../support/eventually.ts'
import { SECRET_KEY, startSimulator, type TestSimulator, WEBHOOK_SECRET } from '../support/stripe-simulator.ts'

const REQUEST: IssueInvoice = {
  account: null,
  key: 'inv_7_41',
  customer: { key: 'cus_7_m12', gatewayCustomerId: null, name: 'Ana Ruiz', email: null },
  createdAt: new Date(),
  currency: 'usd',
  items: [{ key: 'item_1', description: 'Discovery flight', amountCents: cents(15_000) }],
  memo: null,
  dueAt: null,
  reference: { organizationId: 7, invoiceId: 41 },
}

let simulator: TestSimulator
let gateway: PaymentGateway

function gatewayFor(apiBase: string, webhookSecrets = ['whsec_connected', WEBHOOK_SECRET]): PaymentGateway {
  return createStripeGateway({ secretKey: SECRET_KEY, webhookSecrets, apiBase, timeoutMs: 2_000 })
}

beforeEach(async () => {
  simulator = await startSimulator()
  gateway = gatewayFor(simulator.url)
})

afterEach(() => simulator.close())

async function raise(): Promise<{ account: null; gatewayInvoiceId: string; payUrl: string }> {
  const { gatewayInvoiceId, payUrl } = await gateway.issueInvoice(REQUEST)
  return { account: null, gatewayInvoiceId, payUrl }
}

/** An invoice that was begun and has its line, but is a draft still. */
async function halfRaise(): Promise<{ account: null; gatewayInvoiceId: string }> {
  await simulator.fault({ match: 'POST /v1/invoices/:id/finalize', kind: 'cut_before_work' })
  await expect(gateway.issueInvoice(REQUEST)).rejects.toThrow(GatewayUnavailable)
  const found = await simulator.everything()
  return { account: null, gatewayInvoiceId: found.invoices[0]!.id }
}

describe('an invoice paid in cash', () => {
  test('is paid at the processor too, however often it is said', async () => {
    const invoice = await raise()
    const paid = await gateway.markPaidOutOfBand(invoice)
    expect(paid).toMatchObject({ status: 'paid', totalCents: 15_000, amountDueCents: 0 })
    expect(paid.paidAt).toBeInstanceOf(Date)
    expect(await gateway.markPaidOutOfBand(invoice)).toEqual(paid)
  })

  test.each(['cut_after_work', '500', '500_after_work'] as const)('is paid once after %s', async (kind) => {
    const invoice = await raise()
    await simulator.fault({ match: 'POST /v1/invoices/:id/pay', kind })
    await expect(gateway.markPaidOutOfBand(invoice)).rejects.toThrow(GatewayUnavailable)
    expect(await gateway.markPaidOutOfBand(invoice)).toMatchObject({ status: 'paid' })
    const { events } = await simulator.everything()
    expect(events.filter(({ type }) => type === 'invoice.paid')).toHaveLength(1)
  })

  test('that is void is refused; one still being raised has to wait', async () => {
    const half = await halfRaise()
    await expect(gateway.markPaidOutOfBand(half)).rejects.toThrow(GatewayUnavailable)
    const invoice = await raise()
    await gateway.voidInvoice(invoice)
    await expect(gateway.markPaidOutOfBand(invoice)).rejects.toThrow(GatewayRefused)
  })
})

describe('voiding', () => {
  test('ends an invoice, however often it is said', async () => {
    const invoice = await raise()
    await gateway.voidInvoice(invoice)
    await gateway.voidInvoice(invoice)
    expect(await gateway.retrieveInvoice(invoice)).toMatchObject({ status: 'void' })
  })

  test.each(['cut_after_work', '500', '500_after_work'] as const)('again after %s voids once', async (kind) => {
    const invoice = await raise()
    await simulator.fault({ match: 'POST /v1/invoices/:id/void', kind })
    await expect(gateway.voidInvoice(invoice)).rejects.toThrow(GatewayUnavailable)
    await gateway.voidInvoice(invoice)
    const { events } = await simulator.everything()
    expect(events.filter(({ type }) => type === 'invoice.voided')).toHaveLength(1)
  })

  test('a paid invoice is refused', async () => {
    const invoice = await raise()
    await fetch(invoice.payUrl, { method: 'POST' })
    await expect(gateway.voidInvoice(invoice)).rejects.toThrow(GatewayRefused)
  })

  test('a half-raised one leaves nothing, however often it is said', async () => {
    const half = await halfRaise()
    await gateway.voidInvoice(half)
    await gateway.voidInvoice(half)
    expect((await simulator.everything()).invoices).toEqual([])
  })
})

describe('voiding one that is being raised', () => {
  test('ends it when it is finalized between the look and the deletion', async () => {
    const half = await halfRaise()
    await simulator.fault({ match: 'DELETE /v1/invoices/:id', kind: 'hang', seconds: 0.3 })
    const voiding = gateway.voidInvoice(half)
    await eventually(simulator.faults, (faults) => faults.length === 0)
    await gateway.issueInvoice(REQUEST)
    await voiding
    expect(await gateway.retrieveInvoice(half)).toMatchObject({ status: 'void' })
  })
})

describe('an invoice whose id we never learned', () => {
  test('is found by its key, whether or not we know the customer', async () => {
    expect(await gateway.findInvoice(REQUEST)).toBeNull()
    const { gatewayInvoiceId } = await raise()
    const { customers } = await simulator.everything()
    expect(await gateway.findInvoice(REQUEST)).toMatchObject({ gatewayInvoiceId })
    const customer = { ...REQUEST.customer, gatewayCustomerId: customers[0]!.id }
    expect(await gateway.findInvoice({ ...REQUEST, customer })).toMatchObject({ gatewayInvoiceId, status: 'open' })
    expect(await gateway.findInvoice({ ...REQUEST, customer, key: 'inv_7_42' })).toBeNull()
  })
})

describe('a dispute', () => {
  test('has the last instant for evidence as the processor has it, or none', async () => {
    const invoice = await raise()
    await fetch(invoice.payUrl, { method: 'POST' })
    // 1,796,515,199 seconds after the beginning of 1970.
    const evidenceDueBy = 1_796_515_199
    await simulator.move(invoice.gatewayInvoiceId, 'dispute', 5_000, { evidenceDueBy })
    await simulator.move(invoice.gatewayInvoiceId, 'dispute', 4_000, { evidenceDueBy: null })
    const { disputes } = await gateway.readMoney(invoice)
    expect(disputes).toEqual([
      { status: 'open', amountCents: 5_000, evidenceDueAt: new Date('2026-12-05T23:59:59Z') },
      { status: 'open', amountCents: 4_000, evidenceDueAt: null },
    ])
  })

  test('that the bank opens is to be answered by the end of a day, seven days later', async () => {
    const invoice = await raise()
    await fetch(invoice.payUrl, { method: 'POST' })
    const { created, evidence_details } = (await simulator.move(
      invoice.gatewayInvoiceId,
      'dispute',
      5_000,
    )) as unknown as Stripe.Dispute
    const opened = new Date(created * 1000).toISOString().slice(0, 10)
    const due = new Date(Date.parse(`${opened}T23:59:59Z`) + 7 * 86_400_000)
    expect(evidence_details).toMatchObject({ due_by: due.getTime() / 1000, has_evidence: false, submission_count: 0 })
    expect((await gateway.readMoney(invoice)).disputes).toMatchObject([{ evidenceDueAt: due }])
  })
})

describe('a refund', () => {
  test('gives back all that was paid, once per key', async () => {
    const invoice = await raise()
    await fetch(invoice.payUrl, { method: 'POST' })
    const request = { ...invoice, key: 'refund_41', amountCents: null }
    expect(await gateway.refund(request)).toEqual({ refundedCents: 15_000 })
    expect(await gateway.refund(request)).toEqual({ refundedCents: 15_000 })
    expect(await gateway.refund({ ...request, key: 'refund_42' })).toEqual({ refundedCents: 0 })
    expect((await simulator.everything()).refunds).toHaveLength(1)
  })

  test('in parts gives back no more than was paid', async () => {
    const invoice = await raise()
    await fetch(invoice.payUrl, { method: 'POST' })
    const back = async (key: string, amountCents: number) =>
      gateway.refund({ ...invoice, key, amountCents: cents(amountCents) })
    expect(await back('refund_1', 10_000)).toEqual({ refundedCents: 10_000 })
    expect(await back('refund_2', 10_000)).toEqual({ refundedCents: 5_000 })
  })

  test.each(['cut_after_work', '500', '500_after_work'] as const)('again after %s gives back once', async (kind) => {
    const invoice = await raise()
    await fetch(invoice.payUrl, { method: 'POST' })
    await simulator.fault({ match: 'POST /v1/refunds', kind })
    const request = { ...invoice, key: 'refund_41', amountCents: cents(6_000) }
    await expect(gateway.refund(request)).rejects.toThrow(GatewayUnavailable)
    expect(await gateway.refund(request)).toEqual({ refundedCents: 6_000 })
    expect((await simulator.everything()).refunds.map(({ amount }) => amount)).toEqual([6_000])
  })

  test('of a payment that was charged back leaves it to the others, once', async () => {
    const invoice = await raise()
    const id = invoice.gatewayInvoiceId
    await simulator.move(id, 'pay', 4_000)
    const dispute = await simulator.move(id, 'dispute', 4_000)
    await simulator.closeDispute(dispute.id, 'lost')
    for (const amount of [6_000, 5_000]) await simulator.move(id, 'pay', amount)
    const request = { ...invoice, key: 'refund_41', amountCents: null }
    expect(await gateway.refund(request)).toEqual({ refundedCents: 11_000 })
    expect(await gateway.refund(request)).toEqual({ refundedCents: 11_000 })
    expect((await simulator.everything()).refunds.map(({ amount }) => amount).sort()).toEqual([5_000, 6_000])
  })

  test('of money that came in cash, or never came, is nothing', async () => {
    const invoice = await raise()
    const request = { ...invoice, key: 'refund_41', amountCents: null }
    expect(await gateway.refund(request)).toEqual({ refundedCents: 0 })
    await gateway.markPaidOutOfBand(invoice)
    expect(await gateway.refund(request)).toEqual({ refundedCents: 0 })
  })
})
