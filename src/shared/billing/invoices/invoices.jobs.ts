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

/** Invoices a flight that was signed off, in an organization that wants it. */
export const invoiceSignedOff = defineJob({
  name: 'invoices.invoice-signed-off',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), reservationId: z.int() }),
})

/** Invoices a flight when its payers have been told for long enough what will be taken, or when one of them agreed. */
export const invoiceWaited = defineJob({
  name: 'invoices.invoice-waited',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), reservationId: z.int(), agreed: z.boolean().optional() }),
})

/** What pays an invoice without its payer. */
export const takenFrom = ['packages', 'account', 'card'] as const

/** Mails a payer who has not signed a flight what will be taken for it, and when. */
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

/** Opens a school's account at the payment gateway and checks whether it can take money. */
export const connectAccount = defineJob({
  name: 'invoices.connect-account',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int() }),
})

/**
 * Enqueues comparisons of open invoices with the gateway and new attempts for pending ones without a job.
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
 * Closes a deleted organization's invoices at the payment gateway. The payload carries all keys, since the rows are
 * gone, and no `organizationId`: jobs with one are deleted with their organization.
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
        /** The gateway invoices by which that money came in, latest first. */
        copies: z.array(z.string()).default([]),
        /** Those of replaced lines whose payments stay. */
        kept: z.array(z.string()).default([]),
        refunds: z
          .array(z.object({ key: z.string(), amountCents: inCents(z.int()), copies: z.array(z.string()).default([]) }))
          .default([]),
      }),
    ),
  }),
})
