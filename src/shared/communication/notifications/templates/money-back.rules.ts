import { formatMoney } from '../../../platform/kernel/money.ts'
import type { Cents } from '../../../platform/kernel/units.ts'
import { compose, dueOf, type InvoiceTemplateData, nameOf } from './invoice-words.rules.ts'
import type { Message } from './message.rules.ts'

/** An invoice, and the part of a payment that was more than the amount due, in cents. */
export interface ReturnedPayment extends InvoiceTemplateData {
  returnedCents: Cents
}

/** Returns the message to a payer who paid more than was due on an invoice: the excess is refunded. */
export function paymentReturned(invoice: ReturnedPayment): Message {
  const returned = formatMoney(invoice.returnedCents, invoice.currency)
  return compose({ ...invoice, memo: null, payUrl: null }, `Refund on ${nameOf(invoice)}: ${returned}`, [
    `You paid ${returned} more than was due on ${nameOf(invoice)} from ${invoice.organization}.`,
    `${returned} ${wayInWords.processor}`,
  ])
}

/** A credit note, with its invoice as it is after the credit. */
export interface CreditTemplateData extends InvoiceTemplateData {
  credit: {
    number: number
    amountCents: Cents
    refund: 'processor' | 'ledger' | 'offline' | 'none'
    /** The refunded amount in cents. */
    refundCents: Cents
    /** False until a second admin approves the refund, when that is required. */
    approved: boolean
    /** Whether the refund was requested later than the credit note was made. */
    later: boolean
    reason: string
  }
  /** Whether something is still due on the invoice. */
  unpaid: boolean
  /** The amount in cents that the payer paid too much on the invoice and that is not refunded yet. */
  owedBackCents: Cents
}

/**
 * Returns the message to the payer about a credit note: the credited amount, the reason, and what happens to the money.
 * When the refund was requested later, the message is about the refund only.
 */
export function invoiceCredited(invoice: CreditTemplateData): Message {
  const { credit, organization, currency } = invoice
  if (credit.later) {
    const refund = formatMoney(credit.refundCents, currency)
    return compose({ ...invoice, memo: null, payUrl: null }, `Refund on ${nameOf(invoice)}: ${refund}`, [
      `This refund from ${organization} is for credit note ${credit.number} of ${nameOf(invoice)}.`,
      ...moneyBack(invoice),
    ])
  }
  const amount = formatMoney(credit.amountCents, currency)
  return compose({ ...invoice, memo: credit.reason, payUrl: null }, `Credit on ${nameOf(invoice)}: ${amount}`, [
    `${organization} credited ${amount} of ${nameOf(invoice)} with credit note ${credit.number}.`,
    ...moneyBack(invoice),
    ...(invoice.unpaid ? [`${dueOf(invoice)} of ${nameOf(invoice)} is still due.`] : []),
  ])
}

function moneyBack({ credit, owedBackCents, currency }: CreditTemplateData): string[] {
  const refunded = formatMoney(credit.refundCents, currency)
  if (credit.refundCents === 0) {
    return owedBackCents > 0 ? [`${formatMoney(owedBackCents, currency)} that you paid is kept for you.`] : []
  }
  if (!credit.approved)
    return [`${refunded} will be refunded to you when a second person at the school has approved it.`]
  return [`${refunded} ${wayInWords[credit.refund]}`]
}

const wayInWords: Readonly<Record<CreditTemplateData['credit']['refund'], string>> = {
  processor: 'is refunded the way you paid. This may take the bank a few days.',
  offline: 'was given back to you at the school.',
  ledger: 'was put on your account with the school.',
  none: 'is kept for you.',
}
