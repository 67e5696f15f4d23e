import type { Db } from '../../platform/db/database.ts'

/**
 * Returns the receipt of a payment or deposit with its payer, its recorder, the organization and, when `orgUserId` is a
 * present owner, that owner; null when there is no such receipt.
 */
export async function findReceiptToMail(
  db: Db,
  { organizationId, receiptId, orgUserId }: { organizationId: number; receiptId: number; orgUserId: number | null },
) {
  const row = await db
    .selectFrom('receipt as r')
    .innerJoin('organization as o', 'o.id', 'r.organization_id')
    .innerJoin('membership as by', (join) =>
      join.onRef('by.organization_id', '=', 'r.organization_id').onRef('by.id', '=', 'r.recorded_by'),
    )
    .leftJoin('payment as p', (join) =>
      join.onRef('p.organization_id', '=', 'r.organization_id').onRef('p.id', '=', 'r.payment_id'),
    )
    .leftJoin('invoice as i', (join) =>
      join.onRef('i.organization_id', '=', 'p.organization_id').onRef('i.id', '=', 'p.invoice_id'),
    )
    .leftJoin('ledger_entry as e', (join) =>
      join.onRef('e.organization_id', '=', 'r.organization_id').onRef('e.id', '=', 'r.ledger_entry_id'),
    )
    .leftJoin('membership as m', (join) =>
      join
        .onRef('m.organization_id', '=', 'r.organization_id')
        .on((eb) => eb('m.id', '=', eb.fn.coalesce('i.membership_id', 'e.membership_id'))),
    )
    .leftJoin('guest as g', (join) =>
      join.onRef('g.organization_id', '=', 'i.organization_id').onRef('g.id', '=', 'i.guest_id'),
    )
    .leftJoin('membership as w', (join) =>
      join
        .onRef('w.organization_id', '=', 'r.organization_id')
        .on('w.id', '=', orgUserId)
        .on('w.owner', '=', true)
        .on('w.removed_at', 'is', null),
    )
    .leftJoin('ledger_entry as v', (join) =>
      join.onRef('v.organization_id', '=', 'e.organization_id').onRef('v.reverses_id', '=', 'e.id'),
    )
    .leftJoin('membership as b', (join) =>
      join
        .onRef('b.organization_id', '=', 'r.organization_id')
        .on((eb) => eb('b.id', '=', eb.fn.coalesce('p.reversed_by', 'v.created_by'))),
    )
    .select(['r.number', 'r.amount_cents', 'o.name as organization', 'o.settings', 'by.search_name as recorder'])
    .select(({ fn }) => fn.coalesce('p.reversal_reason', 'v.memo').as('reversal_reason'))
    .select(['p.method', 'i.number as invoice_number', 'i.currency', 'b.search_name as reverser'])
    .select(['m.id as member_id', 'm.account_id', 'g.id as guest_id'])
    .select([
      'm.search_name as member',
      'm.search_email as member_address',
      'g.name as guest',
      'g.email as guest_address',
    ])
    .select(['w.search_name as owner', 'w.search_email as owner_address'])
    .where('r.organization_id', '=', organizationId)
    .where('r.id', '=', receiptId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns the id of the receipt of a payment or of an entry of an account; null when it was not taken by hand, or came from the
 * payer's account.
 */
export async function findReceiptOf(
  db: Db,
  { organizationId, ...of }: { organizationId: number } & ({ paymentId: number } | { entryId: number }),
): Promise<{ id: number } | null> {
  const [column, id] =
    'paymentId' in of ? (['payment_id', of.paymentId] as const) : (['ledger_entry_id', of.entryId] as const)
  const receipt = await db
    .selectFrom('receipt')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(column, '=', id)
    .executeTakeFirst()
  return receipt ?? null
}

/** Returns how many payments a member has reversed since an instant. */
export async function countReversals(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  since: Date,
): Promise<number> {
  const { reversed } = await db
    .selectFrom('payment')
    .select(({ fn }) => fn.countAll<number>().as('reversed'))
    .where('organization_id', '=', organizationId)
    .where('reversed_by', '=', orgUserId)
    .where('reversed_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(reversed)
}
