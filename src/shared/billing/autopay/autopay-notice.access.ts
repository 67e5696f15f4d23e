import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, ZERO } from '../../platform/kernel/units.ts'

/** An invoice that is charged automatically. */
interface ChargeOf {
  organizationId: number
  invoiceId: number
}

/**
 * Returns the contents of the mail that announces an automatic charge. Undefined when the payer was already notified, or when the
 * invoice will not be charged.
 */
export function findChargeToNotifyOf(db: Db, { organizationId, invoiceId }: ChargeOf) {
  return (
    db
      .selectFrom('autopay_charge as c')
      .innerJoin('invoice as i', (on) =>
        on.onRef('i.organization_id', '=', 'c.organization_id').onRef('i.id', '=', 'c.invoice_id'),
      )
      .innerJoin('membership as m', (on) =>
        on.onRef('m.organization_id', '=', 'c.organization_id').onRef('m.id', '=', 'c.membership_id'),
      )
      .innerJoin('organization as o', 'o.id', 'c.organization_id')
      .select([
        'o.name as organization',
        'o.time_zone_name as zone',
        'm.search_name as name',
        'm.search_email as address',
      ])
      .select(['i.number', 'i.memo', 'i.pay_url as payUrl', 'i.currency'])
      .select(sql<Cents>`i.total_cents - i.ledger_paid_cents`.as('totalCents'))
      .where('c.organization_id', '=', organizationId)
      .where('c.invoice_id', '=', invoiceId)
      .where('c.state', '=', 'planned')
      .where('c.not_before', 'is', null)
      // An invoice that has changed is not charged: see `decideCharge`.
      .where('i.status', '=', 'open')
      .where('i.revision', '=', 0)
      .where('i.credited_cents', '=', ZERO)
      .whereRef('i.amount_paid_cents', '=', 'i.ledger_paid_cents')
      .where('m.autopay', '=', true)
      .where('m.account_id', 'is not', null)
      .where('m.removed_at', 'is', null)
      .executeTakeFirst()
  )
}

/**
 * Stores the earliest instant of a planned charge, after its payer was notified. Returns false when the charge is not planned any
 * more, or when its payer was notified before.
 */
export async function markChargeNotified(
  tx: Tx,
  { organizationId, invoiceId }: ChargeOf,
  from: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('autopay_charge')
    .set({ not_before: from })
    .where('organization_id', '=', organizationId)
    .where('invoice_id', '=', invoiceId)
    .where('state', '=', 'planned')
    .where('not_before', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
