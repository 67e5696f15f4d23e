import type { Actor } from '../../platform/authz/actor.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { OutboxEntry, Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { OutboxRelay } from '../../platform/jobs/outbox.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { minus, sum, ZERO } from '../../platform/kernel/units.ts'
import { invalidFields } from '../../platform/platform.errors.ts'
import { planAutopay } from '../autopay/plan-autopay.ts'
import { billingErrors } from '../billing.errors.ts'
import { MOST_AT_GATEWAY_CENTS, MOST_CENTS, outOfBounds } from '../flight-bill/charges.rules.ts'
import type { InvoiceLine, PackageUse, PayerId } from '../flight-bill/flight-bill.types.ts'
import { hasAgreed, isAutomatic, type RaisedFor } from '../flight-bill/taking.rules.ts'
import { type Taxed, taxLines } from '../flight-bill/taxes.rules.ts'
import { Invoice } from '../invoices.tables.ts'
import { assertWithinCashierLimit } from '../ledger/cashier.access.ts'
import { postEntry } from '../ledger/post-entry.ts'
import type { ledgerKinds } from '../ledger.tables.ts'
import { addRecorded } from '../payments/add-recorded.ts'
import { payAtRaising } from '../payments/pay-at-raising.ts'
import type { OutsideMethod } from '../payments/payment.rules.ts'
import { amountsOf } from './emit-asked.ts'
import { assertKeepsCurrency, insertItems, nextInvoiceNumber, payerOf } from './invoice.access.ts'
import { findInvoice, type InvoiceRow } from './invoice.queries.ts'
import { issueAtGateway } from './invoices.jobs.ts'
import { tooLittle } from './items.rules.ts'
import { chargesOf } from './payer.access.ts'
import type { Charged } from './payer.rules.ts'
import { insertUses } from './write-items.ts'

export interface CreateInvoice {
  /** Whose share it is: the member's bill-to payer pays, when there is one, unless `direct`. */
  payer: PayerId
  direct?: boolean
  /** The lines without taxes, which are calculated here; the price of a package includes its taxes. */
  lines: readonly InvoiceLine[]
  /** The uses of the payer's packages by the lines. The caller has locked the packages. */
  uses?: readonly PackageUse[]
  memo: string | null
  /** The due date. Absent: the organization's default number of days from now; null: no due date. */
  dueAt?: Date | null
  reservationId: number | null
  /** The location of the flight, for its taxes; absent when the invoice is not for a flight. */
  locationId?: number | null
  /** The enrollment whose fee the invoice charges. */
  enrollmentId?: number | null
  /** How it was paid, when the payment is already received. The payer's billing mode then does not matter. */
  paidBy?: OutsideMethod
  /**
   * Whether the payer is asked to pay, whatever the terms are now: the payer did not agree, and had nothing that is charged without asking
   * when the flight was judged.
   */
  asked?: boolean
  /** The kind of ledger entry for a ledger-mode member. */
  ledgerKind: Extract<(typeof ledgerKinds)[number], 'flight_charge' | 'prepaid_charge' | 'invoice_charge'>
}

const DAY_MS = 86_400_000

/** What an invoice charges without asking a payer who has no ledger, no autopay and no consent that limits it. */
const withoutTerms: Charged = { onLedger: false, autopay: false, fromLedger: true }

/**
 * Raises an invoice for one payer, with the organization's taxes. With `paidBy`, or when packages cover the whole amount, the invoice is
 * paid. Otherwise a ledger-mode member is charged on the ledger in the same transaction; for everyone else the invoice is pending until
 * a job issues it at the payment gateway.
 */
export async function createInvoice(tx: Tx, actor: Actor, request: CreateInvoice): Promise<Invoice> {
  const { organizationId, organization } = actor
  const { settings } = organization
  const uses = request.uses ?? []
  const isCovered = uses.length > 0 && sum(request.lines.map(({ amountCents }) => amountCents)) === 0
  const paid = request.paidBy !== undefined || isCovered
  const asked = request.asked ?? false
  const pays = await payerOf(tx, organizationId, request.payer, { direct: request.direct })
  const { payer, billedFor, taxExempt: exempt } = pays
  const bill = taxLines(request.lines, { rates: settings.taxRates, exempt, locationId: request.locationId ?? null })
  const { lines, totalCents } = bill
  const hasTerms = pays.onLedger || pays.autopay || pays.consent !== null
  const charged = hasTerms ? await chargesOf(tx, actor, pays, { asked, totalCents }) : withoutTerms
  const { onLedger, autopay, fromLedger } = charged
  const settlement = paid ? 'offline' : onLedger ? 'ledger' : 'processor'
  if (settlement === 'processor' && !pays.isReachable) throw billingErrors.payerWithoutAddress({ member: pays.name })
  assertWithinBounds(request, bill, settlement)
  // A cashier who writes it spends the money of the payer.
  if (settlement === 'ledger' && request.ledgerKind === 'invoice_charge') {
    await assertWithinCashierLimit(tx, actor, payer, totalCents)
  }
  await assertKeepsCurrency(tx, organizationId, settings.currency)
  const due = settings.invoiceDueDays === null ? null : new Date(tx.now.getTime() + settings.invoiceDueDays * DAY_MS)
  const raised: RaisedFor = {
    kind: request.ledgerKind,
    own: payer.orgUserId === actor.orgUserId && !actor.standsIn,
    asked,
    sellsPackage: lines.some(({ kind }) => kind === 'package'),
  }
  const invoice = tx.em.create(Invoice, {
    organizationId,
    reservationId: request.reservationId,
    enrollmentId: request.enrollmentId ?? null,
    membershipId: payer.orgUserId,
    billedForId: billedFor,
    guestId: payer.guestId,
    memo: request.memo,
    search: [request.memo ?? [], lines.map(({ description }) => description)].flat().join('\n'),
    totalCents,
    taxCents: bill.taxCents,
    taxes: bill.taxes,
    currency: settings.currency,
    dueAt: request.dueAt === undefined ? due : request.dueAt,
    gatewayAccount: settlement === 'processor' && settings.stripeAccountReady ? settings.stripeAccountId : null,
    settlement,
    raisedBy: actor.standsIn ? null : actor.orgUserId,
    ledgerFrom: fromLedger && hasAgreed(raised) ? tx.now : null,
    autoLedger: settlement === 'processor' && settings.payFromLedger === 'auto' && fromLedger && isAutomatic(raised),
  })
  if (settlement !== 'processor') {
    invoice.status = 'paid'
    invoice.paidAt = tx.now
    invoice.amountPaidCents = settlement === 'ledger' ? totalCents : ZERO
    invoice.paymentMethod = request.paidBy ?? (isCovered ? 'package' : 'ledger')
    invoice.number = await nextInvoiceNumber(tx, organizationId)
  }
  await tx.em.flush()
  await insertItems(tx, invoice, lines)
  if (uses.length > 0) await insertUses(tx, invoice, uses)
  if (settlement === 'processor') {
    const paysFirst = invoice.autoLedger ? await payAtRaising(tx, invoice) : 'due'
    if (paysFirst === 'paid') return invoice
    if (autopay && paysFirst !== 'waits') await planAutopay(tx, actor, invoice, request.ledgerKind)
    tx.enqueue(issueAtGateway, { organizationId, invoiceId: invoice.id, revision: 0 })
    return invoice
  }
  if (settlement === 'ledger') await charge(tx, actor, invoice, request.ledgerKind)
  const subject = { kind: 'invoice', id: invoice.id } as const
  emit(tx, actor, { kind: 'invoice.raised', subject, after: amountsOf(invoice) })
  if (request.paidBy && totalCents > 0) {
    const recorded = { method: request.paidBy, amountCents: totalCents, receivedAt: tx.now }
    await addRecorded(tx, actor, invoice, recorded)
  }
  emit(tx, actor, { kind: 'invoice.paid', subject, after: { settlement, raisedPaid: true } })
  return invoice
}

/** The request's field for the total, by kind of ledger entry; a problem of the total names it. */
const totalNames = { flight_charge: 'totalCents', prepaid_charge: 'prepaidAmountCents', invoice_charge: 'items' }

function assertWithinBounds(
  { ledgerKind }: CreateInvoice,
  bill: Taxed<InvoiceLine>,
  settlement: Invoice['settlement'],
): void {
  const most = settlement === 'processor' ? MOST_AT_GATEWAY_CENTS : MOST_CENTS
  const small = ledgerKind === 'invoice_charge' ? tooLittle(bill.totalCents) : null
  const problems = small
    ? [small]
    : outOfBounds(bill.lines, most, { total: totalNames[ledgerKind], lines: 'items' }, bill.taxCents)
  if (problems.length > 0) {
    throw invalidFields(problems)
  }
}

/** Debits the total of an invoice to a ledger-mode member's account. */
async function charge(tx: Tx, actor: Actor, invoice: Invoice, kind: CreateInvoice['ledgerKind']): Promise<void> {
  await postEntry(tx, {
    organizationId: actor.organizationId,
    membershipId: invoice.membershipId as number,
    kind,
    amountCents: minus(ZERO, invoice.totalCents),
    reservationId: invoice.reservationId ?? null,
    invoiceId: invoice.id,
    createdBy: actor.orgUserId,
  })
}

/** The context in which an invoice is read. */
interface Reading {
  services: { database: Database }
  actor: Actor
  now: Date
}

/** The context of a response that waits for the gateway. `enqueued`: the jobs that its transaction committed. */
interface Issuing extends Reading {
  services: { database: Database; relay: OutboxRelay; config: Pick<Config, 'PROCESSOR_WAIT_MS'> }
  enqueued: OutboxEntry[]
}

/**
 * Publishes the jobs of a commit and waits for the issue jobs, at most `PROCESSOR_WAIT_MS`. Jobs that take longer continue in the
 * background.
 */
export async function waitForGateway(
  { relay, config }: Pick<Issuing['services'], 'relay' | 'config'>,
  enqueued: OutboxEntry[],
): Promise<void> {
  const raising = enqueued.filter((row) => row.job === issueAtGateway.name)
  relay.publish(enqueued.filter((row) => row.job !== issueAtGateway.name))
  await relay.publishAndWait(raising, config.PROCESSOR_WAIT_MS)
}

/**
 * Waits until the gateway accepts one invoice; returns a warning when it takes longer.
 * @throws Invalid when the gateway refused the invoice.
 */
export async function waitUntilIssued(context: Issuing, id: number): Promise<{ warnings?: string[] }> {
  await waitForGateway(context.services, context.enqueued)
  const row = await getInvoice(context, id)
  if (row.status === 'failed' || (row.status === 'void' && row.gateway_error)) throw new Invalid(refusal(row))
  return row.status === 'pending' ? { warnings: [stillPending(row)] } : {}
}

/** Returns an invoice of the actor's organization, with its lines and payer. */
export async function getInvoice({ services, actor, now }: Reading, id: number): Promise<InvoiceRow> {
  const row = await findInvoice(services.database, actor.organizationId, id, now)
  if (!row) throw billingErrors.noSuchInvoice()
  return row
}

/** Returns why the gateway refused an invoice. */
export function refusal({ payer_name: payer, gateway_error: reason }: InvoiceRow) {
  if (reason === null) return billingErrors.payerNotBilledWithoutReason({ payer })
  return billingErrors.payerNotBilled({ payer, reason })
}

/** Returns the warning of an invoice that the gateway has not accepted yet. */
export function stillPending(invoice: InvoiceRow): string {
  return billingErrors.gatewayPending({ payer: invoice.payer_name })
}
