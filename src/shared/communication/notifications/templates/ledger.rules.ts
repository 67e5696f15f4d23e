import { formatMoney } from '../../../platform/kernel/money.ts'
import type { Cents } from '../../../platform/kernel/units.ts'
import { compose, type InvoiceTemplateData, nameOf } from './invoice-words.rules.ts'
import type { Message } from './message.rules.ts'

/** An invoice, the amount that was paid of it from the payer's ledger, and what is left there, in cents. */
export interface LedgerPayment extends InvoiceTemplateData {
  paidCents: Cents
  balanceCents: Cents
}

/** Returns the message to the payer of whose ledger an invoice was paid, with the balance that is left. */
export function paidFromLedger(invoice: LedgerPayment): Message {
  const paid = formatMoney(invoice.paidCents, invoice.currency)
  const left = formatMoney(invoice.balanceCents, invoice.currency)
  return compose({ ...invoice, payUrl: null }, `Paid from your ledger: ${paid} of ${nameOf(invoice)}`, [
    `${paid} of ${nameOf(invoice)} from ${invoice.organization} was paid from your ledger. ${left} is left there.`,
    `If that is not right, please tell ${invoice.organization}: the payment can be reversed.`,
  ])
}

/** Returns the message to a member with a balance: from now on, the ledger pays new invoices by itself. */
export function ledgerPays({ organization }: { organization: string }): Message {
  const sentences = [
    `${organization} now pays new invoices from the ledgers of its members, as far as the balance goes.`,
    'What you signed for is paid at once. Of anything else you get a mail 24 hours before. Invoices that you have now are not affected.',
  ]
  return {
    title: 'Your ledger pays new invoices',
    body: sentences.join(' '),
    data: {},
    mail: { paragraphs: sentences, action: null },
  }
}
