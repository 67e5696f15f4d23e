import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { waitUntilIssued } from '../../../shared/billing/invoices/create-invoice.ts'
import { outsideMethods } from '../../../shared/billing/payments/payment.rules.ts'
import { recordPayment } from '../../../shared/billing/payments/record-payment.ts'
import { reversePayment } from '../../../shared/billing/payments/reverse-payment.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { inCents } from '../../../shared/platform/kernel/units.ts'
import { created } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { MomentInput } from '../../http/moments.ts'
import { envelope, IdParams, MAX_CENTS, note, oneLine, PathId, warnings } from '../../http/schemas.ts'
import { answerChanged, viewInvoice } from './answer-raised.ts'
import { Invoice } from './invoice.view.ts'

const tag = 'Invoices'

const PaymentBody = z.object({
  amountCents: inCents(z.int().min(1).max(MAX_CENTS)).describe('The amount due, or a part of it'),
  method: z.enum(outsideMethods),
  receivedAt: MomentInput.optional().describe(
    'When the payment was received, an instant or a local day: not in the future, and at most 30 days before the invoice. Default: now',
  ),
  reference: oneLine(200).trim().nullish(),
})

const ReversalBody = z.object({ reason: note(500) })

/** Payments that did not come through the payment processor. Implements interface §Invoices. */
export const paymentRoutes: Routes = (on) => {
  on.post('/invoices/:id/payments', {
    id: 'recordPayment',
    access: admins,
    grant: 'cashier',
    tag,
    summary: 'Record a full or partial payment',
    description:
      'Records a payment that did not come through the payment processor. After a partial payment, the processor’s ' +
      'copy of the invoice is replaced by one for the amount still due, with a new pay link; the answer waits up ' +
      'to 10 seconds for it. A payment of the whole amount due marks the invoice paid, also at the processor. A ' +
      'cashier records payments of today by others, within `settings.cashierMaxCents`, and gives a receipt.',
    params: IdParams,
    body: PaymentBody,
    answers: { 201: envelope(Invoice, warnings) },
    errors: [
      billingErrors.noSuchInvoice,
      billingErrors.invoiceClosed,
      billingErrors.paymentExceedsDue,
      billingErrors.remainderTooSmall,
      billingErrors.receivedInFuture,
      billingErrors.receivedBeforeInvoice,
      billingErrors.receivedAnotherDay,
      billingErrors.ownMoney,
      billingErrors.aboveCashierLimit,
    ],
    awaitsJobs: true,
    write: (tx, { actor, params, body }) =>
      recordPayment(tx, actor, params.id, { ...body, reference: body.reference ?? null }),
    answer: async ({ id, raisedAgain }, call) => {
      const beside = raisedAgain ? await waitUntilIssued(call, id) : {}
      if (!raisedAgain) call.services.relay.publish(call.enqueued)
      return created(await viewInvoice(call, id), beside)
    },
  })

  on.post('/invoices/:id/payments/:paymentId/reverse', {
    id: 'reversePayment',
    access: admins,
    grant: 'cashier',
    tag,
    summary: 'Reverse a recorded payment',
    description:
      'Reverses a payment that was recorded by hand, for example a check that bounced. The amount is due again, ' +
      'and the payment processor gets an invoice for it. If less than 50 cents are due then, or the processor ' +
      'refuses, the invoice is open without a pay link and must be paid in another way. A payment through the ' +
      'processor is refunded with a credit note instead. A cashier reverses own payments of today; ' +
      'the third of a day, and one above `settings.refundApprovalCents`, answers 202 and waits for an admin ' +
      '(`reversalAskedAt`), who reverses the payment. Payer and owners are mailed about a payment of a cashier.',
    params: z.object({ id: PathId, paymentId: PathId }),
    body: ReversalBody,
    answers: { 200: envelope(Invoice, warnings), 202: envelope(Invoice, warnings) },
    errors: [
      billingErrors.noSuchInvoice,
      billingErrors.noSuchPayment,
      billingErrors.invoiceClosed,
      billingErrors.paymentReversed,
      billingErrors.paidThroughGateway,
      billingErrors.paymentGivenBack,
      billingErrors.ownMoney,
      billingErrors.notYourPayment,
      billingErrors.reversalWaits,
    ],
    awaitsJobs: true,
    write: (tx, { actor, params, body }) => reversePayment(tx, actor, { ...params, ...body }),
    answer: async (reversed, call) => {
      const answer = await answerChanged(reversed, call)
      return reversed.waits ? { ...answer, status: 202 } : answer
    },
  })
}
