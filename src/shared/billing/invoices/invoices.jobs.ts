import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/**
 * Raises one of our invoices at the payment processor, with the lines of that `revision`; one whose lines were replaced
 * meanwhile is ended there instead. Tried for hours: the money is owed whatever the weather there.
 */
export const issueAtGateway = defineJob({
  name: 'invoices.raise-at-processor',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int(), revision: z.int() }),
  attempts: 16,
})

/**
 * Ends one of our void invoices at the payment processor too, or an earlier `revision` of one, whose lines were
 * replaced; when the payer was faster, gives the money back.
 */
export const voidAtGateway = defineJob({
  name: 'invoices.void-at-processor',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int(), revision: z.int().optional() }),
  attempts: 16,
})

/** Marks one of our invoices paid at the payment processor too, when the money came another way. */
export const settleAtGateway = defineJob({
  name: 'invoices.settle-at-processor',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int() }),
  attempts: 16,
})

/** Brings one of our open invoices to where the payment processor has it. */
export const syncFromGatewayJob = defineJob({
  name: 'invoices.follow-at-processor',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int() }),
})

/** Opens a school's own account at the payment processor, and looks whether it can take money. */
export const connectAccount = defineJob({
  name: 'invoices.connect-account',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int() }),
})

/** Runs by schedule: has invoices compared with the processor's, and raised that were left behind. */
export const reconcileInvoices = defineJob({
  name: 'invoices.reconcile',
  queue: 'upkeep',
  payload: z.object({}),
  attempts: 1,
})

/** Runs by schedule: reminds payers of what is overdue. */
export const remindOverdue = defineJob({
  name: 'invoices.remind-overdue',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})

/** Gives back what was paid on one of our invoices, on the card it came from. */
export const refundAtGateway = defineJob({
  name: 'invoices.refund-at-processor',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int() }),
  attempts: 16,
})

/**
 * Ends invoices of a deleted organization at the payment processor. It carries what the processor knows them by, since
 * their rows are gone, and names no `organizationId`, because owed jobs that do go with their organization.
 */
export const closeLeftAtGateway = defineJob({
  name: 'invoices.end-left-at-processor',
  queue: 'invoicing',
  payload: z.object({
    invoices: z.array(
      z.object({
        account: z.string().nullable(),
        key: z.string(),
        customer: z.object({ key: z.string(), processorCustomerId: z.string().nullable() }),
        createdAt: z.iso.datetime(),
        giveBack: z.boolean(),
      }),
    ),
  }),
})
