import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/**
 * Reads an invoice, and what was paid, given back and lost of it, from the payment gateway, after an event that names it:
 * the gateway invoice, or a payment of one.
 */
export const followMoneyAtGateway = defineJob({
  name: 'payments.follow-money-at-gateway',
  queue: 'invoicing',
  payload: z.object({
    account: z.string().nullable(),
    gatewayInvoiceId: z.string().nullable(),
    payment: z.string().nullable(),
    /** Our row, as the gateway's invoice names it; null when the event does not. */
    reference: z.object({ organizationId: z.int(), invoiceId: z.int() }).nullable().default(null),
    /** Whether the event says that it is paid. */
    paid: z.boolean().default(false),
  }),
  attempts: 16,
})

/** Reads the events of an account at the payment gateway since the last look, for those that no webhook brought. */
export const sweepGatewayEvents = defineJob({
  name: 'payments.sweep-gateway-events',
  queue: 'invoicing',
  payload: z.object({ lookId: z.int() }),
})

/** Gives back to the card what a payment brought above what was due. */
export const refundOverpaidAtGateway = defineJob({
  name: 'payments.refund-overpaid-at-gateway',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int(), paymentId: z.int() }),
  attempts: 16,
})
