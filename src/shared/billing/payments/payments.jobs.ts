import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/**
 * Reads an invoice with its payments, refunds and disputes from the payment gateway, after an event that names the gateway invoice or
 * a payment.
 */
export const followMoneyAtGateway = defineJob({
  name: 'payments.follow-money-at-gateway',
  queue: 'invoicing',
  payload: z.object({
    account: z.string().nullable(),
    gatewayInvoiceId: z.string().nullable(),
    payment: z.string().nullable(),
    /** The row here that the gateway's invoice names; null when the event has no such reference. */
    reference: z.object({ organizationId: z.int(), invoiceId: z.int() }).nullable().default(null),
    /** Whether the event reports the invoice as paid. */
    paid: z.boolean().default(false),
  }),
  attempts: 16,
})

/** Reads the events of a gateway account since the last read, and handles those that no webhook delivered. */
export const sweepGatewayEvents = defineJob({
  name: 'payments.sweep-gateway-events',
  queue: 'invoicing',
  payload: z.object({ lookId: z.int() }),
})

/** Refunds to the card the part of a payment that is above the amount due. */
export const refundOverpaidAtGateway = defineJob({
  name: 'payments.refund-overpaid-at-gateway',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int(), paymentId: z.int() }),
  attempts: 16,
})
