import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { decideWaitingRefund } from '../../../shared/billing/credit-notes/give-back.ts'
import { changeInvoice } from '../../../shared/billing/invoices/change-invoice.ts'
import { createAdHocInvoice } from '../../../shared/billing/invoices/create-ad-hoc.ts'
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
/** The errors of the lines in a body. */
const linesErrors = [billingErrors.itemsTooSmall, billingErrors.amountTooLarge]

export const invoiceChangeRoutes: Routes = (on) => {
  on.post('/invoices', {
    id: 'createInvoice',
    access: admins,
    grant: 'cashier',
    verified: true,
    tag,
    summary: 'Create an invoice for something other than a flight',
    description:
      'Invoices a member or a guest; a member with `billingMode: ledger` is charged on the ledger. Validates all ' +
      'lines before it writes anything. Waits up to 10 seconds for the payment processor: 201 once it has the ' +
      'invoice; 200 with a warning while the invoice is pending.',
    body: InvoiceBody,
    answers: { 200: envelope(Invoice, warnings), 201: envelope(Invoice, warnings) },
    errors: [
      identityErrors.unknownMember,
      schedulingErrors.unknownGuest,
      ...raisedErrors,
      ...linesErrors,
      billingErrors.balanceOutOfBounds,
      billingErrors.currencyChanged,
      billingErrors.ownMoney,
      billingErrors.aboveCashierLimit,
    ],
    awaitsJobs: true,
    write: (tx, { actor, body, now }) => createAdHocInvoice(tx, actor, toAdHoc(body, now)),
    answer: answerOneRaised,
  })

  on.patch('/invoices/:id', {
    id: 'updateInvoice',
    access: admins,
    tag,
    edits: 'invoice',
    summary: 'Change an unpaid invoice, or mark it paid',
    description:
      'Changes the fields that are sent; the invoice must be unpaid. `items` replaces all lines: the payment ' +
      'processor’s copy is voided and issued again with a new pay link, under the same number. `memo` and `dueAt` ' +
      'change only here, not at the processor. `paid: true` records that the rest was paid outside the processor, ' +
      'and marks the invoice paid there too.',
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
      'Voids an invoice that is unpaid, or that packages cover in full, both here and at the payment processor. ' +
      'Its flight can then be invoiced again. If the payer pays at the processor before the void arrives there, ' +
      'the payment is refunded.',
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
      'Approves or declines a refund above `settings.refundApprovalCents` that waits for an admin (`refundStatus: ' +
      'waiting`). Two kinds wait: a refund through the payment processor, after somebody other than an admin ' +
      'cancelled a prepaid booking; and a refund by credit note, which the admin who requested it cannot decide. A ' +
      'job makes an approved refund through the processor. After a declined credit note refund, the amount stays the ' +
      'payer’s credit until a refund is requested again with `POST /creditNotes/{id}/refund`.',
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
    summary: 'Remind the payer of an open invoice',
    description:
      'Sends the payer a mail with the pay link, a push and a notification. Refused within ' +
      '`settings.reminderIntervalHours` after the previous reminder, and after 10 reminders, including automatic ' +
      'ones.',
    params: IdParams,
    answers: { 200: envelope(Invoice) },
    errors: [
      billingErrors.invoicePaid,
      billingErrors.invoiceNotAtGateway,
      billingErrors.invoiceVoid,
      billingErrors.remindedAlready,
      billingErrors.remindedEnough,
      billingErrors.noSuchInvoice,
    ],
    write: (tx, { actor, params }) => remindPayer(tx, actor, params.id),
    answer: async ({ id }, call) => ok(await viewInvoice(call, id)),
  })
}
