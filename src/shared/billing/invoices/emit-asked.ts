import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Invoice } from '../invoices.tables.ts'
import { figuresByWay } from '../payments/payment.access.ts'
import { amountsOf } from './create-invoice.ts'
import { hasBeenRaised } from './invoice.queries.ts'
import { balanceOf } from './invoice-figures.rules.ts'

/**
 * Says that the payer of a locked invoice is asked for what is due: `invoice.raised` the first time, once for each invoice,
 * and `invoice.reissued` each time that another amount is asked for in its place. The payer is told of either.
 */
export async function noteAsked(tx: Tx, invoice: Invoice): Promise<void> {
  const again = (invoice.revision ?? 0) > 0 && (await hasBeenRaised(tx.db, invoice))
  if (again) noteReissued(tx, invoice)
  else noteRaised(tx, invoice)
}

/** Says that a locked invoice asks for another amount than before. */
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
