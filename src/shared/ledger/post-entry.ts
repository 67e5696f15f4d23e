import type { Tx } from '../db/transaction.ts'
import type { ledgerKinds } from './ledger.entity.ts'

export interface LedgerPosting {
  organizationId: number
  membershipId: number
  kind: (typeof ledgerKinds)[number]
  /** Signed: a deposit is positive, a charge negative. */
  amountCents: number
  reservationId?: number | null
  invoiceId?: number | null
  reversesId?: number | null
  memo?: string | null
  createdBy: number | null
}

/**
 * Posts a movement to a member's account. The member's row is locked (not against rows that refer to it), so that
 * of several postings at once each sees the balance of the one before. Answers the entry's id.
 */
export async function postEntry(tx: Tx, posting: LedgerPosting): Promise<number> {
  await tx.em.flush()
  const { organizationId, membershipId } = posting
  await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', membershipId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const last = await tx.db
    .selectFrom('ledger_entry')
    .select('balance_cents')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', membershipId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const entry = await tx.db
    .insertInto('ledger_entry')
    .values({
      organization_id: organizationId,
      membership_id: membershipId,
      kind: posting.kind,
      amount_cents: posting.amountCents,
      balance_cents: (last?.balance_cents ?? 0) + posting.amountCents,
      reservation_id: posting.reservationId ?? null,
      invoice_id: posting.invoiceId ?? null,
      reverses_id: posting.reversesId ?? null,
      memo: posting.memo ?? null,
      created_by: posting.createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return entry.id
}
