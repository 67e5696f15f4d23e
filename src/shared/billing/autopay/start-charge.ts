import type {
  CardOwner,
  ChargeCard,
  ChargeOutcome,
  GatewayMoney,
} from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { minus, ZERO } from '../../platform/kernel/units.ts'
import { invoiceKey } from '../invoices/gateway-keys.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import { syncFromGateway } from '../invoices/sync-from-gateway.ts'
import type { Invoice } from '../invoices.tables.ts'
import { chargeByAutopay } from './autopay.jobs.ts'
import { type AttemptEnd, afterAttempt, type ChargeStep, startAttempt } from './autopay.states.ts'
import { type Attempt, changeCharge, lockCharge } from './charge.access.ts'

/** A charge that a job makes, without the card: the job asks the gateway for the payer's cards. */
export interface BegunCharge extends Omit<ChargeCard, 'cardId'> {
  owner: CardOwner
  /** When the payer switched autopay on. */
  consentedAt: Date
}

/**
 * Begins an attempt to charge an invoice, or repeats the attempt that a killed worker began. Its amount counts towards the payer's
 * limit of the day from now on. Returns null when nothing is charged: the attempt is over or too early, the payer is asked to pay,
 * the payment gateway does not have the invoice, or the invoice or the consent has changed.
 */
export async function beginCharge(tx: Tx, attempt: Attempt): Promise<BegunCharge | null> {
  const invoice = await lockInvoice(tx, attempt.organizationId, attempt.invoiceId)
  const charge = invoice && (await lockCharge(tx, attempt))
  if (!invoice || !charge) return null
  const { creditedCents = ZERO, amountPaidCents = ZERO, ledgerPaidCents = ZERO } = invoice
  // What the account paid when the invoice was raised is not charged; a later payment changes the revision.
  const totalCents = minus(invoice.totalCents, ledgerPaidCents)
  const facts = {
    status: invoice.status ?? 'pending',
    revision: invoice.revision ?? 0,
    disputed: invoice.disputeStatus != null,
    totalCents,
    creditedCents,
    amountPaidCents: minus(amountPaidCents, ledgerPaidCents),
    consents: charge.consents,
    maxCents: charge.maxCents,
    chargedTodayCents: charge.chargedTodayCents,
  }
  const step = startAttempt(charge, attempt.attempt, facts, tx.now)
  if (step.next === 'charge' && !invoice.gatewayInvoiceId) return null
  await take(tx, attempt, step)
  if (step.next !== 'charge' || !invoice.gatewayInvoiceId) return null
  const account = invoice.gatewayAccount ?? null
  return {
    account,
    gatewayInvoiceId: invoice.gatewayInvoiceId,
    amountCents: totalCents,
    key: `${keyOf(invoice)}:autopay:${attempt.attempt}`,
    owner: { account, customer: charge.customer },
    consentedAt: charge.consentedAt,
  }
}

/** The result of an attempt: the gateway's outcome with the payments of the invoice, or the reason why there is no outcome. */
export type AttemptResult =
  | (Exclude<ChargeOutcome, { invoice: unknown }> | { outcome: 'no_card' | 'refused' | 'unknown' })
  | (Extract<ChargeOutcome, { invoice: unknown }> & Pick<GatewayMoney, 'payments'>)

/**
 * Stores the result of an attempt and starts the next step. When the gateway's invoice was paid or has changed, its state is stored
 * here too. `repeated`: whether an earlier call of the attempt may have charged the card.
 */
export async function recordCharge(
  tx: Tx,
  attempt: Attempt,
  result: AttemptResult,
  { repeated }: Pick<AttemptEnd, 'repeated'>,
): Promise<void> {
  const invoice = await lockInvoice(tx, attempt.organizationId, attempt.invoiceId)
  const charge = invoice && (await lockCharge(tx, attempt))
  if (!invoice || charge?.attempts !== attempt.attempt) return
  if (result.outcome === 'paid' || result.outcome === 'changed') {
    const { invoice: at, payments } = result
    if (at.key === keyOf(invoice) && at.currency === invoice.currency) await syncFromGateway(tx, invoice, at, payments)
  }
  const end = { attempt: attempt.attempt, outcome: result.outcome, repeated, status: invoice.status ?? 'pending' }
  await take(tx, attempt, afterAttempt(charge, end, tx.now))
}

/** Writes the decided change of a locked charge, enqueues the next attempt, and emits the event that notifies the payer. */
async function take(tx: Tx, { organizationId, invoiceId, attempt }: Attempt, step: ChargeStep): Promise<void> {
  if (step.change) await changeCharge(tx, { organizationId, invoiceId }, step.change)
  const by = { organizationId, orgUserId: null }
  const subject = { kind: 'invoice', id: invoiceId } as const
  if (step.next === 'ask_payer') {
    emit(tx, by, { kind: 'autopay.payer_asked', subject, after: { because: step.because } })
  }
  if (step.next === 'wait') {
    tx.enqueue(chargeByAutopay, { organizationId, invoiceId, attempt }, { availableAt: step.until })
  }
  if (step.next !== 'try_again') return
  const { at: availableAt } = step
  if (availableAt) tx.enqueue(chargeByAutopay, { organizationId, invoiceId, attempt: attempt + 1 }, { availableAt })
  emit(tx, by, { kind: 'autopay.declined', subject, after: { attempt, last: availableAt === null } })
}

function keyOf(invoice: Invoice): string {
  return invoiceKey({ gatewayKeys: invoice.gatewayKeys ?? [], revision: invoice.revision ?? 0 })
}
