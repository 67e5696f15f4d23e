import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { waitUntilIssued } from '../../../shared/billing/invoices/create-invoice.ts'
import { payFromLedger } from '../../../shared/billing/payments/pay-from-ledger.ts'
import { storedMethods } from '../../../shared/billing/payments/payment.rules.ts'
import { recordPayment } from '../../../shared/billing/payments/record-payment.ts'
import { reversePayment } from '../../../shared/billing/payments/reverse-payment.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { byRoleOrGrant, withDeskGrant } from '../../../shared/platform/authz/desk-grant.queries.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import type { Tx } from '../../../shared/platform/db/transaction.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { inCents } from '../../../shared/platform/kernel/units.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { MomentInput } from '../../http/moments.ts'
import { envelope, IdParams, MAX_CENTS, note, oneLine, PathId, warnings } from '../../http/schemas.ts'
import { answerChanged, viewInvoice } from './answer-raised.ts'
import { Invoice } from './invoice.view.ts'

const tag = 'Invoices'

const PaymentBody = z
  .object({
    amountCents: inCents(z.int().min(1).max(MAX_CENTS)).describe('The amount due, or a part of it'),
    method: z
      .enum(storedMethods)
      .meta({ choices: 'RecordedPaymentMethod' })
      .describe(
        '`ledger`: from the ledger of the payer, at most what is due and what the ledger has; the payer is mailed. When the ' +
          'payer neither signed for the invoice nor bought anything with it, the admin who raised it can use the ledger ' +
          'only 24 hours after the mail to the payer. Every other method records a payment that was received',
      ),
    receivedAt: MomentInput.optional().describe(
      'When the payment was received, an instant or a local day: not in the future, and at most 30 days before the invoice. Default: now. Not ' +
        'with `method: ledger`',
    ),
    reference: oneLine(200).trim().nullish().describe('Not with `method: ledger`'),
  })
  .transform(({ method, receivedAt, reference = null, amountCents }, context) => {
    if (method !== 'ledger') return { method, receivedAt, reference, amountCents }
    for (const [field, value] of Object.entries({ receivedAt, reference })) {
      if (value == null) continue
      context.addIssue({
        code: 'custom',
        path: [field],
        message: fieldErrors.notTogetherWith({ other: 'method ledger' }),
      })
    }
    return { method, amountCents }
  })

/** Records a payment, or pays from the ledger. Members who record no payments pay only their own invoices from their own ledger. */
async function pay(tx: Tx, caller: Actor, id: number, body: z.output<typeof PaymentBody>) {
  const asked = { wanted: admins, grant: 'cashier', lock: true } as const
  if (body.method !== 'ledger') return recordPayment(tx, await byRoleOrGrant(tx.db, caller, asked), id, body)
  return payFromLedger(tx, await withDeskGrant(tx.db, caller, asked), id, body.amountCents)
}

const ReversalBody = z.object({ reason: note(500) })

/** Payments that did not come through the payment processor. Implements interface §Invoices. */
export const paymentRoutes: Routes = (on) => {
  on.post('/invoices/:id/payments', {
    id: 'recordPayment',
    access: 'member',
    grant: 'cashier',
    tag,
    summary: 'Record a payment, or pay from the ledger',
    description:
      'Records a payment that did not come through the payment processor (admins and cashiers), or pays from the ' +
      'ledger of the payer (the payer, admins and cashiers). After a partial payment, the processor’s copy of the ' +
      'invoice is replaced by one for the amount still due, with a new pay link; the answer waits up to 10 seconds ' +
      'for it. A payment of the whole amount due marks the invoice paid, also at the processor. A cashier records ' +
      'only payments that others make today, within `settings.cashierMaxCents`. The payer is mailed a receipt.',
    params: IdParams,
    body: PaymentBody,
    answers: { 201: envelope(Invoice, warnings) },
    errors: [
      [platformErrors.notAllowed, 'the caller is not an admin, and the method is not `ledger`'],
      [billingErrors.noSuchInvoice, 'or it is somebody else’s, and the caller is not an admin'],
      billingErrors.invoiceClosed,
      billingErrors.paymentExceedsDue,
      billingErrors.paymentExceedsBalance,
      billingErrors.paymentWaits,
      billingErrors.billToWithoutLedger,
      billingErrors.cardUnderWay,
      billingErrors.remainderTooSmall,
      billingErrors.receivedInFuture,
      billingErrors.receivedBeforeInvoice,
      billingErrors.receivedAnotherDay,
      billingErrors.ownMoney,
      billingErrors.aboveCashierLimit,
    ],
    awaitsJobs: true,
    write: (tx, { actor, params, body }) => pay(tx, actor, params.id, body),
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
      'Reverses a payment that was recorded by hand, such as a check that bounced, or a payment from the ledger, ' +
      'which gets the amount back. The amount is due again, and the payment processor gets an invoice for it. ' +
      'Below 50 cents, or when the processor refuses, the invoice is open without a pay link. A payment through ' +
      'the processor is refunded with a credit note instead. A cashier reverses payments that they recorded today; ' +
      'the third of a day, and one above `settings.refundApprovalCents`, answers 202 and waits for an admin. The ' +
      'payer and all owners are mailed when a cashier recorded the payment.',
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
