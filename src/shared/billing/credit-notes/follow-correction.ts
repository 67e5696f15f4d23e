import { dispatchErrors } from '../../dispatch/dispatch.errors.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { minus, sum, ZERO } from '../../platform/kernel/units.ts'
import type { ReservationRow } from '../../scheduling/reservations/reservation.queries.ts'
import { mayBeCharging } from '../autopay/autopay.queries.ts'
import { billingErrors } from '../billing.errors.ts'
import type { FlightCharge, PayerId } from '../flight-bill/flight-bill.types.ts'
import { samePayer } from '../flight-bill/flight-bill.types.ts'
import { flightChargeOf } from '../flight-bill/flight-charge.ts'
import { lockLiveInvoices } from '../invoices/invoice.access.ts'
import { findItems, hasRefundUnderWay } from '../invoices/invoice.queries.ts'
import type { Invoice } from '../invoices.tables.ts'
import { type CorrectionCredit, creditsOfCorrection, type StandingInvoice } from './corrected-bill.rules.ts'
import { decideCredit, type RefundWay } from './credit.rules.ts'
import { creditableOf } from './credit-note.access.ts'
import { findCredits, hasFailedInvoice, usesPackages } from './credit-note.queries.ts'
import { issueCredit } from './issue-credit.ts'

/** The credit notes of a correction, and what an admin still has to do about them. */
export interface CreditedCorrection {
  creditIds: number[]
  warnings: string[]
}

/** The standing invoices of a flight that an admin corrects, locked until the commit. */
export interface InvoicesToCorrect {
  flight: FlightCharge
  invoices: readonly Invoice[]
}

/**
 * Returns the standing invoices of a locked flight for a correction, locked until the commit, after the checks that the correction can
 * follow on them.
 * Implements interface §Reservations, correct.
 */
export async function lockInvoicesToCorrect(tx: Tx, actor: Actor, row: ReservationRow): Promise<InvoicesToCorrect> {
  const { organizationId, orgUserId } = actor
  if (row.collection_style === 'prepaid_fixed') throw billingErrors.paidInAdvance()
  const live = await lockLiveInvoices(tx, organizationId, [row.id])
  const invoices = live.filter(({ totalCents, creditedCents = ZERO }) => totalCents === 0 || creditedCents < totalCents)
  if (invoices.some(({ membershipId }) => membershipId === orgUserId)) throw billingErrors.ownFlight()
  const flight = flightChargeOf(row, actor.organization.settings)
  const unpaid = flight.payers.filter((payer) => !invoices.some((invoice) => samePayer(shareOf(invoice), payer)))
  if (await hasFailedInvoice(tx.db, { organizationId, reservationId: row.id }, unpaid))
    throw billingErrors.invoiceFailed()
  for (const invoice of invoices) await assertFollows(tx, invoice)
  if (flight.stakes.some(({ kind }) => kind === 'readings'))
    throw dispatchErrors.needsReview({ why: billingErrors.payersRead() })
  if (
    await usesPackages(
      tx.db,
      organizationId,
      invoices.map(({ id }) => id),
    )
  ) {
    throw dispatchErrors.needsReview({ why: billingErrors.packagePays() })
  }
  return { flight, invoices }
}

async function assertFollows(tx: Tx, invoice: Invoice): Promise<void> {
  const { status, disputeStatus } = invoice
  if (status === 'pending') throw billingErrors.notCreditable({ status })
  if (disputeStatus === 'open' || disputeStatus === 'lost') {
    throw billingErrors.invoiceDisputed({ number: invoice.number ?? '' })
  }
  const notes = await findCredits(tx.db, invoice.organizationId, invoice.id)
  const underWay = notes.some(({ refund_status: refund }) => refund === 'waiting' || refund === 'pending')
  if (underWay || invoice.refundWaitingAt || (await hasRefundUnderWay(tx.db, invoice)))
    throw billingErrors.refundUnderWay()
  if (await mayBeCharging(tx, invoice)) throw billingErrors.cardUnderWay()
}

/**
 * Credits the locked invoices of a flight with what its corrected figures cost less, and gives back what was paid too much: in the way
 * that is asked for, or to the ledger what was charged on it.
 * Implements interface §Reservations, correct.
 */
export async function creditCorrection(
  tx: Tx,
  actor: Actor,
  { flight, invoices }: InvoicesToCorrect,
  { after, ...how }: { after: Pick<FlightCharge, 'readings' | 'briefing'>; reason: string; refund: RefundWay },
): Promise<CreditedCorrection> {
  const standing: StandingInvoice[] = []
  for (const invoice of invoices) standing.push(await standingOf(tx, invoice))
  const bill = creditsOfCorrection(flight, after, standing)
  if (bill.problem !== null) throw dispatchErrors.needsReview({ why: bill.problem })
  const made: CreditedCorrection = { creditIds: [], warnings: [] }
  for (const credit of bill.credits) {
    const invoice = invoices.find(({ id }) => id === credit.invoiceId)!
    await creditOne(tx, actor, { invoice, credit }, how, made)
  }
  return made
}

async function creditOne(
  tx: Tx,
  actor: Actor,
  { invoice, credit: { items, amountCents } }: { invoice: Invoice; credit: CorrectionCredit },
  { reason, refund }: { reason: string; refund: RefundWay },
  made: CreditedCorrection,
): Promise<void> {
  const asked = invoice.settlement === 'ledger' ? 'ledger' : refund
  const decided = decideCredit(creditableOf(invoice), { amountCents, refund: asked })
  const way = typeof decided === 'string' ? 'none' : asked
  const what = items.length > 0 ? { items } : { amountCents }
  const { id, number } = await issueCredit(tx, actor, invoice.id, { ...what, exact: true, reason, refund: way })
  made.creditIds.push(id)
  if (decided === 'other_way')
    made.warnings.push(billingErrors.notGivenBack({ number: invoice.number ?? '', credit: number }))
}

async function standingOf(tx: Tx, invoice: Invoice): Promise<StandingInvoice> {
  const lines = await findItems(tx.db, invoice)
  const credited = (await findCredits(tx.db, invoice.organizationId, invoice.id)).flatMap(({ items }) => items)
  const { id, taxes = [], totalCents, creditedCents = ZERO } = invoice
  return {
    id,
    payer: shareOf(invoice),
    taxes,
    leftCents: minus(totalCents, creditedCents),
    lines: lines.map((line) => {
      const ofLine = credited.filter(({ itemId }) => itemId === line.id)
      return {
        ...line,
        creditedCents: sum(ofLine.map(({ amountCents }) => amountCents)),
        creditedTaxCents: sum(ofLine.map(({ taxCents }) => taxCents)),
      }
    }),
  }
}

/** Returns the person whose share an invoice charges: who was on the flight, also when somebody else pays for them. */
function shareOf({ billedForId, membershipId = null, guestId = null }: Invoice): PayerId {
  return { orgUserId: billedForId ?? membershipId, guestId }
}
