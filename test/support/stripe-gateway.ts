import { expect } from 'vitest'
import { GatewayRefused, GatewayUnavailable } from '../../src/shared/platform/adapters/payments/gateway-errors.ts'
import type { IssueInvoice, PaymentGateway } from '../../src/shared/platform/adapters/payments/payment-gateway.port.ts'
import { cents } from '../../src/shared/platform/kernel/units.ts'
import type { TestSimulator } from './stripe-simulator.ts'

export const NOW = new Date('2031-03-01T12:00:00Z')

/** An invoice over 250.00. */
export const REQUEST: IssueInvoice = {
  account: null,
  key: 'inv_7_41',
  customer: { key: 'cus_7_m12', gatewayCustomerId: null, name: 'Ana Ruiz', email: 'ana@skyway.example' },
  createdAt: NOW,
  currency: 'usd',
  items: [
    { key: 'item_1', description: 'N172SP, 1.3 h at $140.00', amountCents: cents(18_200) },
    { key: 'item_2', description: 'Instruction, 1.3 h at $60.00', amountCents: cents(7_800) },
    { key: 'item_3', description: 'Discount', amountCents: cents(-1_000) },
  ],
  memo: 'Flight of 1 March',
  dueAt: new Date('2031-03-15T12:00:00Z'),
  reference: { organizationId: 7, invoiceId: 41 },
}
/** 182.00 + 78.00 − 10.00. */
export const TOTAL_CENTS = 25_000

/** Returns the error with which a call fails. */
export async function gatewayFailure(call: Promise<unknown>): Promise<GatewayRefused | GatewayUnavailable> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof GatewayRefused || error instanceof GatewayUnavailable) return error
  throw new Error(`Expected the processor to fail, got ${error}`)
}

/** Repeats the raising until it succeeds, as the job does. Returns the number of attempts. */
export async function issueAtLast(gateway: PaymentGateway, request: IssueInvoice): Promise<number> {
  for (let attempt = 1; attempt <= 40; attempt++) {
    try {
      await gateway.issueInvoice(request)
      return attempt
    } catch (error) {
      if (!(error instanceof GatewayUnavailable || error instanceof GatewayRefused)) throw error
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  throw new Error('It never succeeded.')
}

/** Expects exactly one customer and one invoice at Stripe, with three lines and the right total. */
export async function expectOneInvoice(simulator: TestSimulator, account: string | null = null): Promise<void> {
  const { customers, invoices } = await simulator.everything()
  expect(customers).toHaveLength(1)
  expect(invoices).toHaveLength(1)
  expect(invoices[0]).toMatchObject({ account, status: 'open', total: TOTAL_CENTS, customer: customers[0]?.id })
  expect(invoices[0]?.lines.data.map(({ amount }) => amount).sort()).toEqual([-1_000, 18_200, 7_800].sort())
}
