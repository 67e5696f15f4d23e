import type { Actor } from '../authz/actor.ts'
import type { Tx } from '../db/transaction.ts'
import type { ledgerKinds } from '../ledger/ledger.entity.ts'
import { postEntry } from '../ledger/post-entry.ts'
import { notify } from '../notifications/notify.ts'
import type { PayerId } from './charge-facts.ts'
import { Invoice, InvoiceItem } from './invoice.entity.ts'
import { nextInvoiceNumber } from './invoice-number.ts'
import { raiseAtProcessor } from './invoices.jobs.ts'

/** A line to bill. `quantityHundredths` of `unit` at `unitPrice` cents; `amountCents` is what counts. */
export interface InvoiceLine {
  kind: string
  description: string
  quantityHundredths: number
  unit: string
  unitPrice: number
  amountCents: number
}

export interface RaiseInvoice {
  payer: PayerId
  lines: readonly InvoiceLine[]
  memo: string | null
  /** Left out, it is so many days from now as the organization says. */
  dueAt?: Date | null
  reservationId: number | null
  /** How a ledger-mode member is charged. */
  ledgerKind: Extract<(typeof ledgerKinds)[number], 'flight_charge' | 'prepaid_charge' | 'invoice_charge'>
}

const DAY_MS = 86_400_000

/**
 * Raises an invoice for one payer. A ledger-mode member is charged on the ledger at once, in this transaction; for
 * everyone else the invoice is pending until a worker has it accepted by the processor.
 */
export async function raiseInvoice(tx: Tx, actor: Actor, request: RaiseInvoice): Promise<Invoice> {
  const { organizationId, organization } = actor
  const { settings } = organization
  const totalCents = request.lines.reduce((sum, line) => sum + line.amountCents, 0)
  const onLedger = await isOnLedger(tx, organizationId, request.payer.orgUserId)
  const due = settings.invoiceDueDays === null ? null : new Date(tx.now.getTime() + settings.invoiceDueDays * DAY_MS)
  const invoice = tx.em.create(Invoice, {
    organizationId,
    reservationId: request.reservationId,
    membershipId: request.payer.orgUserId,
    guestId: request.payer.guestId,
    memo: request.memo,
    totalCents,
    currency: settings.currency,
    dueAt: request.dueAt === undefined ? due : request.dueAt,
    processorAccount: onLedger ? null : settings.stripeAccountId,
    settlement: onLedger ? 'ledger' : 'processor',
  })
  for (const [position, line] of request.lines.entries()) {
    tx.em.create(InvoiceItem, { organizationId, invoice, position, ...line })
  }
  if (!onLedger) {
    await tx.em.flush()
    tx.enqueue(raiseAtProcessor, { organizationId, invoiceId: invoice.id })
    return invoice
  }
  invoice.status = 'paid'
  invoice.paidAt = tx.now
  invoice.amountPaidCents = totalCents
  invoice.paymentMethod = 'ledger'
  invoice.number = await nextInvoiceNumber(tx, organizationId)
  await tx.em.flush()
  await postEntry(tx, {
    organizationId,
    membershipId: request.payer.orgUserId as number,
    kind: request.ledgerKind,
    amountCents: -totalCents,
    reservationId: request.reservationId,
    invoiceId: invoice.id,
    createdBy: actor.orgUserId,
  })
  notify(tx, { organizationId, kind: 'invoice_raised', subjectId: invoice.id, causedBy: actor.orgUserId })
  return invoice
}

async function isOnLedger(tx: Tx, organizationId: number, orgUserId: number | null): Promise<boolean> {
  if (orgUserId === null) return false
  const member = await tx.db
    .selectFrom('membership')
    .select('billing_mode')
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .executeTakeFirst()
  return member?.billing_mode === 'ledger'
}
