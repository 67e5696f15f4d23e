import type { GatewayMoney } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { type Cents, cents, minus, plus, ZERO } from '../../platform/kernel/units.ts'
import { creditRefunded } from '../credit-notes/write-credit.ts'
import { issueAgain } from '../invoices/change-invoice.ts'
import { invoiceKey } from '../invoices/gateway-keys.ts'
import { lockInvoice, nextInvoiceNumber } from '../invoices/invoice.access.ts'
import { balanceOf } from '../invoices/invoice-figures.rules.ts'
import { voidAtGateway } from '../invoices/invoices.jobs.ts'
import { syncFromGateway } from '../invoices/sync-from-gateway.ts'
import type { Invoice } from '../invoices.tables.ts'
import { addGatewayPayments } from './add-gateway-payments.ts'
import { isClosedInPart, paymentsToAdd, refundedOutside, reversalsOf } from './gateway-money.rules.ts'
import {
  figuresByWay,
  findPaymentsToChange,
  knownPayment,
  latestMethod,
  paymentsOf,
  refundedBy,
  takeBack,
} from './payment.access.ts'
import { findStamp, type InvoiceAtProcessor } from './payment.queries.ts'
import { leftAtGateway } from './payment.rules.ts'
import { recordDispute } from './record-dispute.ts'
import { openAgain } from './reverse-payment.ts'

const LOST = 'The payer’s dispute at the payment processor was lost'
const REFUNDED = 'Refunded at the payment processor'
const ONCE_OR_TWICE =
  'It is paid at the payment processor too. If that is not the payment recorded here, refund one of the two.'

/**
 * The result of `followMoney`. `ended`: the invoice is void, failed or deleted here, or the gateway's invoice is an earlier revision
 * that is not `known`. `changed`: the invoice's row changed since the gateway was read, so the data may be older than the stored data.
 * `other_currency`, `other_customer`, `not_ours`: the gateway's invoice does not match, and nothing was changed.
 */
export type FollowedMoney = 'followed' | 'ended' | 'changed' | 'other_currency' | 'other_customer' | 'not_ours'

/**
 * Updates an invoice from its state at the payment gateway: payments, voiding, disputes, and refunds that were not requested here. A
 * lost dispute reverses the payment, so that its amount is due again. A refund is credited. All data is read from the gateway after the
 * event; `findInvoiceAtGateway` has compared the account. An invoice that stays void here is left to the job that voids it at the
 * gateway. An earlier revision counts only when its id is stored, or when that job found it by our key (`known`): its payments are
 * payments of the invoice. `elsewhereCents`: the amount that was refunded at the gateway itself on its other gateway invoices.
 * Implements interface §Invoices.
 */
export async function followMoney(
  tx: Tx,
  found: InvoiceAtProcessor,
  money: GatewayMoney,
  elsewhereCents: Cents = ZERO,
): Promise<FollowedMoney> {
  const invoice = await lockInvoice(tx, found.organizationId, found.invoiceId)
  if (!invoice) return 'ended'
  if ((await findStamp(tx.db, invoice)) !== found.stamp) return 'changed'
  if (money.invoice.currency !== invoice.currency) return 'other_currency'
  if (found.customerId !== null && found.customerId !== money.invoice.gatewayCustomerId) return 'other_customer'
  if (!(invoice.gatewayKeys ?? []).includes(money.invoice.key ?? '')) return 'not_ours'
  const present = money.invoice.key === invoiceKey(invoice)
  if (!present && !found.known) return 'ended'
  // This changes the row and its stamp, so that data that was read from the gateway before is discarded.
  invoice.checkedAt = tx.now
  const dueBefore = balanceOf(figuresByWay(invoice))
  const staysVoid = invoice.status === 'void' && isClosedInPart(money)
  if (present && !staysVoid) await syncFromGateway(tx, invoice, money.invoice, money.payments)
  if (invoice.status === 'void' || invoice.status === 'failed') return 'ended'
  await followPayments(tx, invoice, money)
  recordDispute(tx, invoice, money)
  await followRefunds(tx, invoice, plus(refundedOutside(money), elsewhereCents))
  await followDue(tx, invoice, money, dueBefore)
  return 'followed'
}

/**
 * Updates a locked invoice, and its copy at the gateway, to the amount that is due now. A copy that asks for another amount is
 * replaced, for example after a lost dispute of a partial payment, or after a payment of an earlier copy.
 */
async function followDue(tx: Tx, invoice: Invoice, money: GatewayMoney, dueBefore: Cents): Promise<void> {
  const due = balanceOf(figuresByWay(invoice))
  const present = money.invoice.key === invoiceKey(invoice)
  const asked = present && money.invoice.status === 'open' ? money.invoice.amountDueCents : null
  if (invoice.status === 'paid') {
    if (due > 0) openAgain(tx, invoice, { stripeAccountReady: false, stripeAccountId: null })
  } else if (due <= 0) {
    await settle(tx, invoice, money)
    const { organizationId, id: invoiceId } = invoice
    if (asked !== null || !present) tx.enqueue(voidAtGateway, { organizationId, invoiceId })
  } else if (present ? asked !== null && asked !== due : due !== dueBefore) issueAgain(tx, invoice)
}

async function followPayments(tx: Tx, invoice: Invoice, money: GatewayMoney): Promise<void> {
  const by = { organizationId: invoice.organizationId, orgUserId: null }
  const subject = { kind: 'invoice', id: invoice.id } as const
  if (await mayBeNoted(tx, invoice, money)) invoice.gatewayError = ONCE_OR_TWICE
  else await addGatewayPayments(tx, invoice, money)
  const payments = (await paymentsOf(tx, invoice, money.invoice)).filter(({ way }) => way === 'processor')
  for (const { id, cents: taken } of reversalsOf(payments.map(knownPayment), money)) {
    const payment = payments.find((one) => one.id === id)!
    const most = plus(payment.reversedCents ?? ZERO, leftAtGateway(figuresByWay(invoice)))
    const amountCents = cents(Math.min(taken, most))
    takeBack(tx, invoice, payment, { cents: amountCents, by: null, reason: LOST })
    emit(tx, by, { kind: 'invoice.payment_reversed', subject, after: { amountCents }, reason: LOST })
  }
}

/**
 * Returns whether a new payment at the gateway may be the same money as a payment that somebody recorded here by hand. That is so for
 * an invoice that was paid offline, when a recorded payment is neither cash, a check, nor from the account. Desk staff decide then. In other cases the
 * payment at the gateway is an additional payment.
 */
async function mayBeNoted(tx: Tx, invoice: Invoice, money: GatewayMoney): Promise<boolean> {
  if (invoice.status !== 'paid' || invoice.settlement !== 'offline') return false
  const all = await findPaymentsToChange(tx, invoice)
  const ofCopy = all.filter((one) => one.gatewayInvoiceId === money.invoice.gatewayInvoiceId)
  if (paymentsToAdd(ofCopy.map(knownPayment), money).length === 0) return false
  return all.some(({ recordedBy, method }) => recordedBy != null && (method === 'card' || method === 'other'))
}

/**
 * Stores the amount that was refunded at the gateway itself; at most the amount left there, because a refund of ours may be under way.
 * An increase is credited.
 */
async function followRefunds(tx: Tx, invoice: Invoice, refundedCents: Cents): Promise<void> {
  const before = invoice.outsideRefundedCents ?? ZERO
  const most = plus(before, leftAtGateway(figuresByWay(invoice)))
  const outsideRefundedCents = cents(Math.min(refundedCents, most))
  const more: Cents = minus(outsideRefundedCents, before)
  if (more === 0) return
  tx.em.assign(invoice, { outsideRefundedCents, ...refundedBy(invoice, 'processor', more) })
  if (more > 0) await creditRefunded(tx, invoice, more, REFUNDED)
}

async function settle(tx: Tx, invoice: Invoice, { invoice: at }: GatewayMoney): Promise<void> {
  const { organizationId } = invoice
  tx.em.assign(invoice, {
    status: 'paid',
    paidAt: at.paidAt ?? tx.now,
    gatewayError: null,
    paymentMethod: await latestMethod(tx, invoice),
    number: invoice.number ?? (await nextInvoiceNumber(tx, organizationId)),
  })
  const subject = { kind: 'invoice', id: invoice.id } as const
  const after = { settlement: invoice.settlement }
  emit(tx, { organizationId, orgUserId: null }, { kind: 'invoice.paid', subject, after })
}
