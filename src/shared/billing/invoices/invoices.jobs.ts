import { z } from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/contracts/define-job.ts'
import { inCents } from '../../platform/kernel/units.ts'

/**
 * Issues an invoice at the payment gateway with the lines of `revision`, or closes it there when the lines were
 * replaced meanwhile. 16 attempts cover a gateway outage of hours.
 */
export const issueAtGateway = defineJob({
  name: 'invoices.issue-at-gateway',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int(), revision: z.int() }),
  attempts: 16,
})

/**
 * Voids an invoice at the payment gateway, or an earlier `revision` whose lines were replaced; refunds it when the
 * payer has paid first.
 */
export const voidAtGateway = defineJob({
  name: 'invoices.void-at-gateway',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int(), revision: z.int().optional() }),
  attempts: 16,
})

/** Invoices a signed-off flight, when the organization's `autoInvoice` is `signed_off`. */
export const invoiceSignedOff = defineJob({
  name: 'invoices.invoice-signed-off',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), reservationId: z.int() }),
})

/** Invoices a flight that waited for its payers: 24 hours after they were notified of the charge, or when one of them agreed. */
export const invoiceWaited = defineJob({
  name: 'invoices.invoice-waited',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), reservationId: z.int(), agreed: z.boolean().optional() }),
})

/** The sources from which an invoice is paid without asking its payer. */
export const takenFrom = ['packages', 'account', 'card'] as const

/** Mails a payer who has not signed a flight how much will be charged for it, from which sources and when. */
export const notifyPayer = defineJob({
  name: 'invoices.notify-payer',
  queue: 'email',
  payload: z.object({
    organizationId: z.int(),
    reservationId: z.int(),
    orgUserId: z.int(),
    sources: z.array(z.enum(takenFrom)),
    currency: z.string(),
  }),
})

/** Marks an invoice paid at the payment gateway when the money came in another way. */
export const settleAtGateway = defineJob({
  name: 'invoices.settle-at-gateway',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int() }),
  attempts: 16,
})

/** Updates an open invoice to the payment gateway's status. */
export const syncInvoice = defineJob({
  name: 'invoices.sync-invoice',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int() }),
})

/** Opens a school's account at the payment gateway and checks whether it can receive payments. */
export const connectAccount = defineJob({
  name: 'invoices.connect-account',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int() }),
})

/**
 * Enqueues comparisons of open invoices with the gateway, and new issue jobs for pending invoices without a job.
 */
export const reconcileInvoices = defineScheduledJob({
  name: 'invoices.reconcile-invoices',
  queue: 'upkeep',
  schedule: '5-59/10 * * * *',
})

/** Reminds payers of overdue invoices. */
export const remindOverdue = defineScheduledJob({
  name: 'invoices.remind-overdue',
  queue: 'reminders',
  schedule: '*/10 * * * *',
})

/** Refunds an invoice to the card that paid it. */
export const refundAtGateway = defineJob({
  name: 'invoices.refund-at-gateway',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int() }),
  attempts: 16,
})

/**
 * Closes a deleted organization's invoices at the payment gateway. The payload has all keys, because the rows are deleted. It has no
 * `organizationId`, because jobs with one are deleted with their organization.
 */
export const closeLeftAtGateway = defineJob({
  name: 'invoices.close-left-at-gateway',
  queue: 'invoicing',
  payload: z.object({
    invoices: z.array(
      z.object({
        account: z.string().nullable(),
        key: z.string(),
        customer: z.object({ key: z.string(), gatewayCustomerId: z.string().nullable() }),
        createdAt: z.iso.datetime(),
        giveBack: z.boolean(),
        /** The ids of further gateway invoices whose payments must be refunded, latest first. */
        copies: z.array(z.string()).default([]),
        /** The ids of gateway invoices whose lines were replaced and whose payments are kept. */
        kept: z.array(z.string()).default([]),
        refunds: z
          .array(z.object({ key: z.string(), amountCents: inCents(z.int()), copies: z.array(z.string()).default([]) }))
          .default([]),
      }),
    ),
  }),
})
