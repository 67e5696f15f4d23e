import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { type Cents, plus } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import type { ledgerKinds } from '../ledger.tables.ts'
import { lockBalance } from './ledger.access.ts'

export interface LedgerPosting {
  organizationId: number
  membershipId: number
  kind: (typeof ledgerKinds)[number]
  /** Signed cents: positive for a deposit, negative for a charge. */
  amountCents: Cents
  reservationId?: number | null
  invoiceId?: number | null
  reversesId?: number | null
  memo?: string | null
  createdBy: number | null
}

/** The largest balance in cents in either direction: the range of a 32-bit integer column. */
const MOST_CENTS = 2_147_483_647

/** Posts an entry to a member's account; returns its id and instant. The account stays locked until the commit. */
export async function postEntry(tx: Tx, posting: LedgerPosting): Promise<{ id: number; postedAt: Date }> {
  await tx.em.flush()
  const { organizationId, membershipId } = posting
  const balanceCents = plus(await lockBalance(tx, organizationId, membershipId), posting.amountCents)
  if (Math.abs(balanceCents) > MOST_CENTS) throw billingErrors.balanceOutOfBounds()
  const entry = await tx.db
    .insertInto('ledger_entry')
    .values({
      organization_id: organizationId,
      membership_id: membershipId,
      kind: posting.kind,
      amount_cents: posting.amountCents,
      balance_cents: balanceCents,
      reservation_id: posting.reservationId ?? null,
      invoice_id: posting.invoiceId ?? null,
      reverses_id: posting.reversesId ?? null,
      memo: posting.memo ?? null,
      created_by: posting.createdBy,
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
  emit(
    tx,
    { organizationId, orgUserId: posting.createdBy },
    {
      kind: posting.kind === 'reversal' ? 'ledger.reversed' : 'ledger.posted',
      subject: { kind: 'member', id: membershipId },
      after: { entryId: entry.id, ...posting, own: posting.createdBy === membershipId },
    },
  )
  return { id: entry.id, postedAt: entry.created_at }
}
