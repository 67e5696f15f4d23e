import type { Tx } from '../../platform/db/transaction.ts'
import { Conflict, NotFound } from '../../platform/kernel/errors.ts'
import { postEntry } from './post-entry.ts'

/** A reversed entry, with the member and the invoice that it charged. */
export interface ReversedEntry {
  reversalId: number
  membershipId: number
  invoiceId: number | null
}

/**
 * Reverses an entry of a member's account by one with the opposite amount; the first entry is kept.
 * @throws NotFound when the organization has no such entry.
 * @throws Conflict ALREADY_EXISTS when it is reversed already, or is a reversal.
 */
export async function reverseEntry(
  tx: Tx,
  by: { organizationId: number; orgUserId: number },
  entryId: number,
  reason: string,
): Promise<ReversedEntry> {
  const { organizationId } = by
  await tx.em.flush()
  const entry = await tx.db
    .selectFrom('ledger_entry')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', entryId)
    .executeTakeFirst()
  if (!entry) throw new NotFound('There is no such ledger entry.')
  if (entry.reverses_id !== null) throw new Conflict('A reversal cannot be reversed.', 'ALREADY_EXISTS')
  const earlier = await tx.db
    .selectFrom('ledger_entry')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('reverses_id', '=', entryId)
    .executeTakeFirst()
  if (earlier) throw new Conflict('This entry is already reversed.', 'ALREADY_EXISTS')
  const reversalId = await postEntry(tx, {
    organizationId,
    membershipId: entry.membership_id,
    kind: 'reversal',
    amountCents: -entry.amount_cents,
    reservationId: entry.reservation_id,
    invoiceId: entry.invoice_id,
    reversesId: entryId,
    memo: reason,
    createdBy: by.orgUserId,
  })
  return { reversalId, membershipId: entry.membership_id, invoiceId: entry.invoice_id }
}
