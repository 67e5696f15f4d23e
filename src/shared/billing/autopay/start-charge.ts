import type { CardOwner, ChargeCard, ChargeOutcome } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { ZERO } from '../../platform/kernel/units.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import { type Invoice, invoiceKey } from '../invoices/invoice.entity.ts'
import { syncFromGateway } from '../invoices/sync-from-gateway.ts'
import { chargeByAutopay } from './autopay.jobs.ts'
import { decideCharge, nextAttemptAt } from './autopay.rules.ts'
import { type Attempt, changeCharge, lockCharge } from './charge.access.ts'

/** A charge that a job makes: all but the card, which the gateway names. */
export interface BegunCharge extends Omit<ChargeCard, 'cardId'> {
  owner: CardOwner
  /** When the payer switched autopay on. */
  consentedAt: Date
}

/** Why a payer is asked instead of charged. */
export type AskedBecause = 'above_limit' | 'daily_limit' | 'no_card' | 'bank' | 'refused'

/**
 * Begins an attempt to charge an invoice, or repeats the one that a killed worker began. The amount counts against the
 * payer's day from now on. Returns null when nothing is charged: the attempt is over, the payer is asked, or the invoice or
 * the consent is not what it was.
 */
export async function beginCharge(tx: Tx, attempt: Attempt): Promise<BegunCharge | null> {
  const invoice = await lockInvoice(tx, attempt.organizationId, attempt.invoiceId)
  const charge = invoice && (await lockCharge(tx, attempt))
  if (!invoice || !charge) return null
  const repeats = charge.state === 'charging' && charge.attempts === attempt.attempt
  const begins = ['planned', 'declined'].includes(charge.state) && charge.attempts === attempt.attempt - 1
  if (!repeats && !begins) return null
  const { totalCents, creditedCents = ZERO, amountPaidCents = ZERO } = invoice
  const decision = decideCharge({
    ...{
      status: invoice.status ?? 'pending',
      revision: invoice.revision ?? 0,
      disputed: invoice.disputeStatus != null,
    },
    ...{ totalCents, creditedCents, amountPaidCents },
    ...{ consents: charge.consents, maxCents: charge.maxCents, chargedTodayCents: charge.chargedTodayCents },
  })
  // An attempt that may have been made keeps its count until the gateway says what came of it. It was made when an event
  // said so first.
  if (decision === 'stopped') {
    const state = repeats && invoice.status === 'paid' ? 'paid' : 'stopped'
    await changeCharge(tx, attempt, { state, ...(!repeats && { counted: null }) })
    return null
  }
  if (decision !== 'charge' && !repeats) {
    await askPayer(tx, attempt, decision)
    return null
  }
  if (!invoice.processorInvoiceId) return null
  if (begins) {
    const counted = { cents: totalCents, on: charge.today }
    await changeCharge(tx, attempt, { state: 'charging', attempts: attempt.attempt, counted })
  }
  const account = invoice.processorAccount ?? null
  return {
    ...{ account, processorInvoiceId: invoice.processorInvoiceId, amountCents: totalCents },
    key: `${keyOf(invoice)}:autopay:${attempt.attempt}`,
    owner: { account, customer: charge.customer },
    consentedAt: charge.consentedAt,
  }
}

/** Asks the payer to pay on the hosted page, by a notification; no further attempt follows. */
export async function askPayer(tx: Tx, attempt: Attempt, because: AskedBecause): Promise<void> {
  await changeCharge(tx, attempt, { state: 'asked', counted: null })
  const { organizationId, invoiceId } = attempt
  const subject = { kind: 'invoice', id: invoiceId } as const
  emit(tx, { organizationId, orgUserId: null }, { kind: 'autopay.payer_asked', subject, after: { because } })
}

/**
 * Stores what came of an attempt. A paid invoice is paid here too; a declined card is tried again 1, 3 and 7 days after
 * the first decline; a bank that wants the payer is no decline: the payer is asked.
 */
export async function recordCharge(tx: Tx, attempt: Attempt, outcome: ChargeOutcome): Promise<void> {
  const { organizationId, invoiceId } = attempt
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  const charge = invoice && (await lockCharge(tx, attempt))
  if (!invoice || charge?.attempts !== attempt.attempt) return
  if (outcome.outcome === 'paid' || outcome.outcome === 'changed') {
    const { invoice: at } = outcome
    if (at.key === keyOf(invoice) && at.currency === invoice.currency) await syncFromGateway(tx, invoice, at)
    const paid = outcome.outcome === 'paid'
    return changeCharge(tx, attempt, paid ? { state: 'paid' } : { state: 'stopped', counted: null })
  }
  if (charge.state === 'stopped') return changeCharge(tx, attempt, { state: 'stopped', counted: null })
  if (charge.state !== 'charging') return
  if (outcome.outcome === 'wants_payer') return askPayer(tx, attempt, 'bank')
  const firstDeclinedAt = charge.firstDeclinedAt ?? tx.now
  await changeCharge(tx, attempt, { state: 'declined', counted: null, firstDeclinedAt })
  const again = nextAttemptAt(firstDeclinedAt, attempt.attempt)
  if (again) {
    tx.enqueue(chargeByAutopay, { organizationId, invoiceId, attempt: attempt.attempt + 1 }, { availableAt: again })
  }
  const subject = { kind: 'invoice', id: invoiceId } as const
  const after = { attempt: attempt.attempt, last: again === null }
  emit(tx, { organizationId, orgUserId: null }, { kind: 'autopay.declined', subject, after })
}

function keyOf(invoice: Invoice): string {
  return invoiceKey({ processorKeys: invoice.processorKeys ?? [], revision: invoice.revision ?? 0 })
}
