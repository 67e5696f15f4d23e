import { sql } from 'kysely'
import { reservationTypes, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { reservationCondition } from '../../scheduling/reservations/reservation-filter.queries.ts'

/** The flights of a batch: signed off, not invoiced, and ended before an instant, and not before another. */
export interface BatchSelection {
  endedBefore: Date
  endedAfter?: Date | undefined
  /** Only flights with one of these members on board. */
  orgUserIds?: number[] | undefined
  resourceIds?: number[] | undefined
}

const paidTypes = reservationTypes.filter((type) => typeRules[type].pays)

/** Returns the ids of at most `most` flights of a batch, in the order of their starts. Prepaid bookings are left out. */
export async function findFlightsToInvoice(
  tx: Tx,
  organizationId: number,
  { endedBefore, endedAfter, orgUserIds, resourceIds }: BatchSelection,
  most: number,
): Promise<number[]> {
  const filter = {
    endedBefore,
    endedAfter,
    uninvoiced: true,
    statuses: ['signed_off'] as const,
    types: paidTypes,
    seated: orgUserIds && [{ organizationId, orgUserIds }],
    resourceIds,
  }
  const { rows } = await sql<{ id: number }>`
    select r.id from reservation r
    where r.organization_id = ${organizationId} and r.collection_style <> 'prepaid_fixed'
      and ${reservationCondition(filter, tx.now)}
    order by r.starts_at, r.id limit ${most}`.execute(tx.db)
  return rows.map(({ id }) => id)
}

/** Returns the number of invoices that a batch raised, or would raise, and their total in cents. */
export async function totalsOf(
  tx: Tx,
  { id, organizationId }: { id: number; organizationId: number },
): Promise<{ invoices: number; totalCents: number } | undefined> {
  const { rows } = await sql<{ invoices: number; totalCents: number }>`
    select count(*)::int as invoices, coalesce(sum((i.invoice ->> 'totalCents')::bigint), 0)::float8 as "totalCents"
    from operation_row r cross join jsonb_array_elements(r.detail -> 'invoices') as i (invoice)
    where r.organization_id = ${organizationId} and r.operation_id = ${id}`.execute(tx.db)
  return rows[0]
}

/** Returns the quantities that the finished flights of a dry run used of packages, each in the unit of the package. */
export async function findUsesOfDryRun(
  tx: Tx,
  { id, organizationId }: { id: number; organizationId: number },
): Promise<{ purchaseId: number; quantity: number }[]> {
  const { rows } = await sql<{ purchaseId: number; quantity: number }>`
    select (u.use ->> 'purchaseId')::int as "purchaseId", sum((u.use ->> 'quantity')::int)::int as quantity
    from operation_row r cross join jsonb_array_elements(r.detail -> 'uses') as u (use)
    where r.organization_id = ${organizationId} and r.operation_id = ${id} group by 1`.execute(tx.db)
  return rows
}
