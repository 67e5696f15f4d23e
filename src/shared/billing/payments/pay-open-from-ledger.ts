import { findOwner } from '../../platform/authz/actor.queries.ts'
import type { JobPayload } from '../../platform/contracts/define-job.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { minus } from '../../platform/kernel/units.ts'
import { mayBeCharging } from '../autopay/autopay.queries.ts'
import { lockOpenAutomatic } from '../invoices/invoice.access.ts'
import { balanceOf } from '../invoices/invoice-figures.rules.ts'
import { consentsToLedger } from '../invoices/payer.queries.ts'
import type { Invoice } from '../invoices.tables.ts'
import { lockAvailable } from '../ledger/ledger.access.ts'
import { addFromLedger } from './add-from-ledger.ts'
import { mailOfLedgerPayment, type payOpenFromLedger } from './ledger-payments.jobs.ts'
import { figuresByWay } from './payment.access.ts'
import { automaticPart } from './payment.rules.ts'

interface Account {
  organizationId: number
  orgUserId: number
}

/**
 * Pays locked, open invoices of a member from the member's account as far as its balance goes, the oldest first: those to which the
 * member agreed, or of which the member was mailed 24 hours ago. Of the others, the member is mailed now when the account has money.
 */
export async function payOpenInvoices(tx: Tx, { organizationId, orgUserId }: Account, open: Invoice[]): Promise<void> {
  if (open.length === 0) return
  await tx.em.flush()
  const oldestFirst = open.toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || one.id - other.id,
  )
  let leftCents = await lockAvailable(tx, organizationId, orgUserId)
  for (const invoice of oldestFirst) {
    if (leftCents <= 0) return
    if (invoice.billedForId != null && !(await consentsToLedger(tx.db, invoice))) continue
    if (invoice.ledgerFrom == null) tx.enqueue(mailOfLedgerPayment, { organizationId, invoiceId: invoice.id })
    else if (invoice.ledgerFrom <= tx.now && !(await mayBeCharging(tx, invoice))) {
      const part = automaticPart(balanceOf(figuresByWay(invoice)), leftCents)
      if (part > 0) await addFromLedger(tx, { organizationId, orgUserId: null }, invoice, part)
      leftCents = minus(leftCents, part)
      await tx.em.flush()
    }
  }
}

/**
 * Pays the open invoices of a member from the member's account while `settings.payFromLedger` is `auto`.
 * Implements interface §Organizations: settings.
 */
export async function payOpenOfMember(tx: Tx, of: JobPayload<typeof payOpenFromLedger>): Promise<void> {
  const owner = await findOwner(tx.db, of.organizationId)
  if (owner?.organization.settings.payFromLedger !== 'auto') return
  await payOpenInvoices(tx, of, await lockOpenAutomatic(tx, of))
}
