import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Invoice } from '../invoices.tables.ts'
import { figuresByWay } from '../payments/payment.access.ts'
import { findRaisedAt } from './invoice.queries.ts'
import { balanceOf } from './invoice-figures.rules.ts'

/** Returns the figures of an invoice that its events store. */
export function amountsOf({ number, totalCents, currency }: Pick<Invoice, 'number' | 'totalCents' | 'currency'>) {
  return { number, totalCents, currency }
}

/**
 * Emits the event that the payer of a locked invoice is asked to pay the amount due: `invoice.raised` once per invoice, and
 * `invoice.reissued` each time that another amount replaces it. Both events notify the payer.
 */
export async function noteAsked(tx: Tx, invoice: Invoice): Promise<void> {
  const again = (invoice.revision ?? 0) > 0 && (await findRaisedAt(tx.db, invoice)) !== null
  if (again) noteReissued(tx, invoice)
  else noteRaised(tx, invoice)
}

/** Emits `invoice.reissued`: the amount that the payer of a locked invoice must pay has changed. */
export function noteReissued(tx: Tx, invoice: Invoice): void {
  const { organizationId, id } = invoice
  const after = { ...amountsOf(invoice), dueCents: balanceOf(figuresByWay(invoice)) }
  emit(tx, { organizationId, orgUserId: null }, { kind: 'invoice.reissued', subject: { kind: 'invoice', id }, after })
}

function noteRaised(tx: Tx, invoice: Invoice): void {
  const { organizationId, id } = invoice
  emit(
    tx,
    { organizationId, orgUserId: null },
    { kind: 'invoice.raised', subject: { kind: 'invoice', id }, after: amountsOf(invoice) },
  )
}
