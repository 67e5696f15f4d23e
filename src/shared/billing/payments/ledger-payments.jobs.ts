import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** Mails a payer that an invoice, which somebody else raised, will be paid from the payer's account, and when. */
export const mailOfLedgerPayment = defineJob({
  name: 'payments.mail-of-ledger-payment',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int() }),
})

/** Pays the open invoices of a member that the member's account pays by itself. */
export const payOpenFromLedger = defineJob({
  name: 'payments.pay-open-from-ledger',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), orgUserId: z.int() }),
})
