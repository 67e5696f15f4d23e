import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { decideWaitingRefund } from '../../../shared/billing/credit-notes/give-back.ts'
import { changeInvoice } from '../../../shared/billing/invoices/change-invoice.ts'
import { raiseAdHoc } from '../../../shared/billing/invoices/raise-ad-hoc.ts'
import { remindPayer } from '../../../shared/billing/invoices/remind-payer.ts'
import { voidInvoice } from '../../../shared/billing/invoices/void-invoice.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, IdParams, warnings } from '../../http/schemas.ts'
import { answerChanged, answerOneRaised, raisedErrors, viewInvoice } from './answer-raised.ts'
import { Invoice } from './invoice.view.ts'
import { InvoiceBody, InvoicePatch, RefundBody, toAdHoc, VoidBody } from './invoices.schemas.ts'

const tag = 'Invoices'
/** The errors of lines that an invoice cannot have. */
const linesErrors = [billingErrors.itemsTooSmall, billingErrors.amountTooLarge]

export const invoiceChangeRoutes: Routes = (on) => {
  on.post('/invoices', {
    id: 'createInvoice',
    access: admins,
    verified: true,
    tag,
    summary: 'Invoice something else than a flight',
    description:
      'To a member or a guest; a ledger-mode member is charged on the ledger. Lines are checked before anything is ' +
      'written. Waits up to 10 seconds for the processor: 201 once it has the invoice, 200 with a warning while pending.',
    body: InvoiceBody,
    answers: { 200: envelope(Invoice, warnings), 201: envelope(Invoice, warnings) },
    errors: [
      identityErrors.unknownMember,
      schedulingErrors.unknownGuest,
      ...raisedErrors,
      ...linesErrors,
      billingErrors.balanceOutOfBounds,
      billingErrors.currencyChanged,
    ],
    awaitsJobs: true,
    write: (tx, { actor, body, now }) => raiseAdHoc(tx, actor, toAdHoc(body, now)),
    answer: answerOneRaised,
  })

  on.patch('/invoices/:id', {
    id: 'updateInvoice',
    access: admins,
    tag,
    edits: 'invoice',
    summary: 'Change an unpaid invoice, or mark it paid',
    description:
      '`items` replaces all lines: the processor’s invoice is ended and another raised in its place, with a new pay ' +
      'link, under the same number. `memo` and `dueAt` change here alone. `paid: true` notes money that came another ' +
      'way than through the processor, and marks it paid there too.',
    params: IdParams,
    body: InvoicePatch,
    answers: { 200: envelope(Invoice, warnings) },
    errors: [
      billingErrors.noSuchInvoice,
      billingErrors.invoiceClosed,
      billingErrors.hasCredits,
      billingErrors.partlyPaid,
      billingErrors.packageApplied,
      billingErrors.packagePriced,
      billingErrors.noSuchLine,
      billingErrors.packageLineKept,
      ...raisedErrors,
      ...linesErrors,
    ],
    awaitsJobs: true,
    write: (tx, { actor, params, body }) => changeInvoice(tx, actor, params.id, body),
    answer: answerChanged,
  })

  on.post('/invoices/:id/void', {
    id: 'voidInvoice',
    access: admins,
    tag,
    summary: 'Void an unpaid invoice',
    description:
      'Its flight can be billed again at once. It is ended at the processor too; should the payer be faster there, the ' +
      'money is given back.',
    params: IdParams,
    body: VoidBody,
    answers: { 200: envelope(Invoice) },
    errors: [
      billingErrors.noSuchInvoice,
      billingErrors.invoiceClosed,
      billingErrors.partlyPaid,
      billingErrors.packageUsed,
    ],
    write: (tx, { actor, params, body }) => voidInvoice(tx, actor, params.id, body.reason),
    answer: async ({ id }, call) => ok(await viewInvoice(call, id)),
  })

  on.post('/invoices/:id/refund', {
    id: 'decideRefund',
    access: admins,
    tag,
    summary: 'Decide on a refund that waits for an admin',
    description:
      'A booking that was paid ahead and is cancelled by others than admins is refunded to the card at once up to ' +
      '`settings.refundApprovalCents`; above it the refund waits (`refundStatus`), and that of a credit note for another admin ' +
      'than asks for it. Approved, a job gives the money back; declined, what a credit note refunds stays the payer’s credit until it is asked for again (`POST /credits/{id}/refund`).',
    params: IdParams,
    body: RefundBody,
    answers: { 200: envelope(Invoice) },
    errors: [billingErrors.noSuchInvoice, billingErrors.noRefundWaiting, billingErrors.ownCredit],
    write: (tx, { actor, params, body }) => decideWaitingRefund(tx, actor, params.id, body),
    answer: async ({ invoiceId }, call) => ok(await viewInvoice(call, invoiceId)),
  })

  on.post('/invoices/:id/remind', {
    id: 'remindPayer',
    access: admins,
    verified: true,
    tag,
    summary: 'Remind the payer',
    description:
      'A mail with the pay link, a push and a notification; not again within `settings.reminderIntervalHours`, ' +
      'and at most 10 times in all with the reminders that are sent by themselves.',
    params: IdParams,
    answers: { 200: envelope(Invoice) },
    errors: [
      billingErrors.invoicePaid,
      billingErrors.invoiceNotAtProcessor,
      billingErrors.invoiceVoid,
      billingErrors.remindedAlready,
      billingErrors.remindedEnough,
      billingErrors.noSuchInvoice,
    ],
    write: (tx, { actor, params }) => remindPayer(tx, actor, params.id),
    answer: async ({ id }, call) => ok(await viewInvoice(call, id)),
  })
}
