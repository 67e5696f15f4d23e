import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, minus, ZERO } from '../../platform/kernel/units.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { billingErrors } from '../billing.errors.ts'
import { findEntry, isReversed } from './ledger.queries.ts'
import { postEntry } from './post-entry.ts'

/** The reversal of an entry, in signed cents, its instant, with the member and the invoice that the entry charged. */
export interface ReversedEntry {
  reversalId: number
  postedAt: Date
  membershipId: number
  amountCents: Cents
  invoiceId: number | null
}

/** Reverses an entry of a member's account by a new entry with the opposite amount. The reversed entry is kept. */
export async function reverseEntry(
  tx: Tx,
  by: { organizationId: number; orgUserId: number },
  entryId: number,
  reason: string,
): Promise<ReversedEntry> {
  const { organizationId } = by
  await tx.em.flush()
  const entry = await findEntry(tx.db, organizationId, entryId)
  if (entry.reverses_id !== null) throw billingErrors.isReversal()
  if (await isReversed(tx.db, organizationId, entryId)) {
    throw platformErrors.entryReversed()
  }
  const amountCents = minus(ZERO, entry.amount_cents)
  const { id: reversalId, postedAt } = await postEntry(tx, {
    organizationId,
    membershipId: entry.membership_id,
    kind: 'reversal',
    amountCents,
    reservationId: entry.reservation_id,
    invoiceId: entry.invoice_id,
    reversesId: entryId,
    memo: reason,
    createdBy: by.orgUserId,
  })
  return { reversalId, postedAt, membershipId: entry.membership_id, amountCents, invoiceId: entry.invoice_id }
}
