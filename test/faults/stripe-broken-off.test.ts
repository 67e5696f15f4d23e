import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../local/payments/faults.ts'
import { GatewayUnavailable } from '../../src/shared/platform/adapters/payments/gateway-errors.ts'
import type { PaymentGateway } from '../../src/shared/platform/adapters/payments/payment-gateway.port.ts'
import { createStripeGateway } from '../../src/shared/platform/adapters/payments/stripe.ts'
import { cents } from '../../src/shared/platform/kernel/units.ts'
import { expectOneInvoice, gatewayFailure, issueAtLast, NOW, REQUEST, TOTAL_CENTS } from '../support/stripe-gateway.ts'
import { SECRET_KEY, startSimulator, type TestSimulator, WEBHOOK_SECRET } from '../support/stripe-simulator.ts'

const HOUR = 3_600_000
const TIMEOUT_MS = 250

let simulator: TestSimulator
let gateway: PaymentGateway
let clock: Date

function gatewayFor(apiBase: string, options: { secretKey?: string } = {}): PaymentGateway {
  return createStripeGateway({
    secretKey: SECRET_KEY,
    webhookSecrets: [WEBHOOK_SECRET],
    apiBase,
    timeoutMs: TIMEOUT_MS,
    now: () => clock,
    ...options,
  })
}

beforeEach(async () => {
  clock = NOW
  simulator = await startSimulator({ now: () => clock })
  gateway = gatewayFor(simulator.url)
})

afterEach(() => simulator.close())

/** An earlier invoice is looked for once its creation is no longer remembered by its key, after a day. */
const LOOKING = 'GET /v1/invoices'
const LONG_OWED = { ...REQUEST, createdAt: new Date(NOW.getTime() - 25 * HOUR) }

const STEPS = [
  'GET /v1/customers/search',
  'POST /v1/customers',
  LOOKING,
  'POST /v1/invoices',
  'POST /v1/invoices/:id/add_lines',
  'POST /v1/invoices/:id/finalize',
]
const BREAKS: Partial<Fault>[] = [
  { kind: 'cut_before_work' },
  { kind: 'cut_after_work' },
  { kind: '500' },
  { kind: '500_after_work' },
  { kind: '429' },
  { kind: 'hang', seconds: 0.4 },
]

describe('an invoice whose raising broke off', () => {
  for (const match of STEPS) {
    for (const fault of BREAKS) {
      test(`with ${fault.kind} at ${match} is one invoice in the end`, async () => {
        const request = match === LOOKING ? LONG_OWED : REQUEST
        await simulator.fault({ match, kind: '500', ...fault })
        expect(await gatewayFailure(gateway.issueInvoice(request))).toBeInstanceOf(GatewayUnavailable)
        await issueAtLast(gateway, request)
        await expectOneInvoice(simulator)
      })
    }
  }

  test('with the answer about its lines lost has each line once', async () => {
    await simulator.fault({ match: 'POST /v1/invoices/:id/add_lines', kind: 'cut_after_work' })
    expect(await gatewayFailure(gateway.issueInvoice(REQUEST))).toBeInstanceOf(GatewayUnavailable)
    await issueAtLast(gateway, REQUEST)
    await expectOneInvoice(simulator)
  })

  test.each(['POST /v1/invoices', 'POST /v1/invoices/:id/finalize'])(
    'after the work at %s, and more than a day ago, is found',
    async (match) => {
      await simulator.fault({ match, kind: 'cut_after_work' })
      await gatewayFailure(gateway.issueInvoice(REQUEST))
      clock = new Date(NOW.getTime() + 25 * HOUR)
      await gateway.issueInvoice(REQUEST)
      await expectOneInvoice(simulator)
    },
  )

  test('for a payer whose address has changed since uses the customer that was made', async () => {
    await simulator.fault({ match: 'POST /v1/customers', kind: 'cut_after_work' })
    await gatewayFailure(gateway.issueInvoice(REQUEST))
    await gateway.issueInvoice({ ...REQUEST, customer: { ...REQUEST.customer, email: 'ana.ruiz@skyway.example' } })
    await expectOneInvoice(simulator)
  })

  test('whose lines have changed since has the new ones', async () => {
    await simulator.fault({ match: 'POST /v1/invoices/:id/finalize', kind: 'cut_before_work' })
    await gatewayFailure(gateway.issueInvoice(REQUEST))
    const items = [REQUEST.items[0]!, { ...REQUEST.items[1]!, amountCents: cents(6_000) }]
    expect(await gateway.issueInvoice({ ...REQUEST, items })).toMatchObject({ totalCents: 24_200 })
    const { invoices } = await simulator.everything()
    expect(invoices.map(({ lines }) => lines.data.map(({ amount }) => amount))).toEqual([[18_200, 6_000]])
  })

  test('however often and wherever, is one invoice', async () => {
    const kinds = BREAKS.filter(({ kind }) => kind !== 'hang').map(({ kind }) => kind!)
    const faults = fc.array(
      fc.record({ match: fc.constantFrom('*', ...STEPS), kind: fc.constantFrom('402' as const, ...kinds) }),
      { maxLength: 12 },
    )
    let payer = 0
    await fc.assert(
      fc.asyncProperty(faults, async (sequence) => {
        payer += 1
        const key = `inv_9_${payer}`
        const customer = { ...REQUEST.customer, key: `cus_9_${payer}`, name: key }
        for (const fault of sequence) await simulator.fault(fault)
        await issueAtLast(gateway, { ...REQUEST, key, customer })
        await simulator.clearFaults()
        const { customers, invoices } = await simulator.everything()
        expect(customers.filter(({ name }) => name === key)).toHaveLength(1)
        const raised = invoices.filter(({ customer_name }) => customer_name === key)
        expect(raised.map(({ status, total }) => [status, total])).toEqual([['open', TOTAL_CENTS]])
      }),
      { numRuns: 60 },
    )
  })
})
