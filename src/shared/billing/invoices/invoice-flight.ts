import { momentInWords } from '../../communication/notifications/templates/when.rules.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { invalidFields } from '../../platform/platform.errors.ts'
import type { InvoiceOfReservation } from '../../scheduling/reservations/booking-parts.types.ts'
import { assertTransition, lockReservation } from '../../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../../scheduling/reservations/reservation.queries.ts'
import { billingErrors } from '../billing.errors.ts'
import { chargeFlight, isBillable } from '../flight-bill/flight-bill.rules.ts'
import { type FlightCharge, type Payer, type PayerId, type Share, samePayer } from '../flight-bill/flight-bill.types.ts'
import { flightChargeOf, titleFor } from '../flight-bill/flight-charge.ts'
import { agreedToFlight, takeableFrom } from '../flight-bill/taking.rules.ts'
import { assertIsNotOwnMoney } from '../ledger/cashier.access.ts'
import { lockPackages } from '../packages/package.access.ts'
import { deleteNotices, findPayersToNotify, type PayerToNotify } from './charge-notice.access.ts'
import { type CreateInvoice, createInvoice } from './create-invoice.ts'
import { notifyPayer } from './invoices.jobs.ts'

/** The invoices that were written, and the warnings: for example, about a payer who could not be billed. */
export interface InvoicedFlight {
  invoiceIds: number[]
  warnings: string[]
  /** Until when a payer who did not sign can object; null when the flight is invoiced. */
  heldUntil: Date | null
}

/**
 * Writes one invoice per payer who has no standing invoice of the flight (not void, failed or credited in full), with the amounts of the
 * breakdown. Jobs issue the invoices at the gateway. No invoice is written while a payer who did not sign can object to the charge.
 * Implements interface §Reservations rules 1–4 and 9.
 * @throws Invalid when the flight is not closed out, the split cannot be applied, or there is nothing to bill.
 * @throws Invalid ALREADY_INVOICED when every payer has an invoice that stands.
 */
export async function invoiceFlight(tx: Tx, actor: Actor, reservationId: number): Promise<InvoicedFlight> {
  const { planned, warnings, heldUntil } = await planInvoices(tx, actor, reservationId)
  const invoiceIds: number[] = []
  for (const plan of planned) invoiceIds.push((await createInvoice(tx, actor, plan)).id)
  return { invoiceIds, warnings, heldUntil }
}

/** The invoice of one payer of a flight, before it is raised. */
export interface PlannedInvoice extends CreateInvoice {
  payer: Payer
  /** The total with taxes. */
  totalCents: Cents
}

/**
 * Returns the invoices to raise for a flight: one per payer who has no standing invoice; none while the flight waits for its payers
 * (`holdForPayers`). When there are invoices, the notices to the payers are deleted. Locks the booking until the commit.
 * Implements interface §Reservations rules 1–4 and 9.
 */
export async function planInvoices(
  tx: Tx,
  actor: Actor,
  reservationId: number,
): Promise<{ planned: PlannedInvoice[]; warnings: string[]; heldUntil: Date | null }> {
  const row = await lockReservation(tx, actor, reservationId)
  const aboard = row.seats.map(({ orgUserId }) => orgUserId)
  if (actor.grant) await assertIsNotOwnMoney(tx, actor, aboard)
  assertTransition('invoice', row)
  const standing = row.invoices.filter(({ stands }) => stands)
  const already = billingErrors.allInvoiced()
  if (row.collection_style === 'prepaid_fixed') throw already
  const packages = row.packages.length > 0 ? await lockPackages(tx, actor.organizationId, row) : []
  const flight = { ...flightChargeOf(row, actor.organization.settings), packages }
  const { locationId } = flight
  const bill = chargeFlight(flight)
  if (bill.problems.length > 0) {
    throw invalidFields(bill.problems)
  }
  const open = bill.shares.filter((share) => !standing.some((invoice) => samePayer(shareOf(invoice), share.payer)))
  if (bill.shares.length > 0 && open.length === 0) throw already
  const billable = open.filter(isBillable)
  if (billable.length === 0) throw nothingToBill(bill.warnings)
  const { held, asked } = await holdForPayers(tx, actor, row, { shares: billable, payers: payersOf(row, flight) })
  if (held) return { planned: [], warnings: [...held.warnings, ...bill.warnings], heldUntil: held.until }
  // A notice announces one charge. When the flight is invoiced again after a void, its payers must be notified again.
  if (row.notices.length > 0) await deleteNotices(tx, { organizationId: actor.organizationId, reservationId })
  const planned = billable.map(({ payer, amountCents: totalCents, uses }): PlannedInvoice => {
    const lines = bill.lines.flatMap(({ payer: of, taxCents: _, ...line }) =>
      of && samePayer(of, payer) ? [line] : [],
    )
    const isAsked = payer.orgUserId !== null && asked.includes(payer.orgUserId)
    const about = { memo: titleFor(row, payer), reservationId, locationId, ledgerKind: 'flight_charge' as const }
    return { payer, lines, uses, totalCents, asked: isAsked, ...about }
  })
  return { planned, warnings: bill.warnings, heldUntil: null }
}

/** Returns the payers of a flight and their bill-to payers: who gains when another pays more. */
function payersOf({ seats }: ReservationRow, { payers }: FlightCharge): PayerId[] {
  const through = seats.filter((seat) => payers.some((payer) => samePayer(payer, seat)))
  return [...payers, ...through.map(({ payerId: orgUserId }) => ({ orgUserId, guestId: null }))]
}

/** Returns the person whose share an invoice charges. */
function shareOf({ orgUserId, billedFor, guestId }: InvoiceOfReservation): PayerId {
  return { orgUserId: billedFor ?? orgUserId, guestId }
}

function nothingToBill(warnings: readonly string[]) {
  if (warnings.length === 0) return billingErrors.nothingToBill()
  return billingErrors.nothingToBillBecause({ warnings: warnings.join(' ') })
}

/** Why the invoices of a flight wait: from when on they may be raised, and one message per payer who was notified. */
export interface Held {
  until: Date
  warnings: string[]
}

/**
 * Returns until when the invoices of a locked flight must wait, because a payer who did not agree would be charged; `held` is null when
 * they need not wait. `asked`: the members who did not agree and whose account or card is not charged now, so that their invoices must
 * not charge it either when somebody changes their terms meanwhile. The payer is mailed once, and 24 hours after that mail a job invoices the flight. When the signatures are cleared, for
 * example by a change of payers, the wait ends without invoices. All payers of the flight wait, because an objection changes the amount
 * of each of them. Implements interface §Invoices.
 */
export async function holdForPayers(
  tx: Tx,
  { organizationId, organization }: Actor,
  row: ReservationRow,
  { shares, payers }: { shares: readonly Share[]; payers: readonly PayerId[] },
): Promise<{ held: Held | null; asked: readonly number[] }> {
  const about = { signatures: row.confirmations, payers }
  const unsigned = shares.filter(
    ({ payer, wholeCents }) => payer.orgUserId !== null && !agreedToFlight(payer, wholeCents, about),
  )
  const asked: number[] = []
  if (unsigned.length === 0) return { held: null, asked }
  const flight = { organizationId, reservationId: row.id }
  const ids = unsigned.map(({ payer }) => payer.orgUserId!)
  const members = new Map((await findPayersToNotify(tx, flight, ids)).map((one) => [one.orgUserId, one]))
  const held: Held = { until: tx.now, warnings: [] }
  for (const { payer, wholeCents: amountCents, uses } of unsigned) {
    const member = members.get(payer.orgUserId!)
    if (!member?.onLedger && !member?.autopay) asked.push(payer.orgUserId!)
    const sources = member ? sourcesOf(member, uses.length > 0) : []
    if (!member || sources.length === 0) continue
    if (!member.reachable) throw billingErrors.payerToSign({ payer: payer.name })
    const announced = takeableFrom({ agreed: false, amountCents, notice: member.notice }, tx.now)
    const from =
      announced ?? takeableFrom({ agreed: false, amountCents, notice: { amountCents, notifiedAt: tx.now } }, tx.now)!
    if (announced === null) {
      await writeNotice(tx, flight, { orgUserId: member.orgUserId, amountCents })
      tx.enqueue(notifyPayer, {
        ...flight,
        orgUserId: member.orgUserId,
        sources,
        currency: organization.settings.currency,
      })
    }
    if (from <= tx.now) continue
    const moment = momentInWords(from, row.time_zone_name)
    held.warnings.push(
      sentenceFor(member, { payer: payer.name, moment, isNotified: announced !== null && member.isSent }),
    )
    if (from > held.until) held.until = from
  }
  return { held: held.warnings.length > 0 ? held : null, asked }
}

/** Returns the message about a payer for whom a flight waits. */
function sentenceFor(
  { isGivenUp }: PayerToNotify,
  { payer, moment, isNotified }: { payer: string; moment: string; isNotified: boolean },
): string {
  if (isNotified) return billingErrors.payerNotified({ payer, moment })
  return isGivenUp ? billingErrors.payerMailedAgain({ payer }) : billingErrors.payerMailed({ payer })
}

/** Returns the sources that are charged without asking the member, in this order: packages, then the account or else the card. */
function sourcesOf({ onLedger, autopay }: PayerToNotify, packages: boolean) {
  const rest = onLedger ? (['account'] as const) : autopay ? (['card'] as const) : []
  return [...(packages ? (['packages'] as const) : []), ...rest]
}

async function writeNotice(
  tx: Tx,
  { organizationId, reservationId }: { organizationId: number; reservationId: number },
  { orgUserId, amountCents }: { orgUserId: number; amountCents: Share['wholeCents'] },
): Promise<void> {
  const unsent = { amount_cents: amountCents, notified_at: null, given_up_at: null }
  await tx.db
    .insertInto('charge_notice')
    .values({ organization_id: organizationId, reservation_id: reservationId, membership_id: orgUserId, ...unsent })
    .onConflict((on) => on.columns(['organization_id', 'reservation_id', 'membership_id']).doUpdateSet(unsent))
    .execute()
}
