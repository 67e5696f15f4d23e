import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import type { LockedReservation } from '../scheduling/reservations/reservation.access.ts'
import { loadPool } from '../scheduling/rules/pool.queries.ts'
import { poolOrders } from '../scheduling/rules/pool-order.rules.ts'
import type { BulkAction } from './bulk.types.ts'

type Placing = Exclude<BulkAction, { cancel: unknown }>

/**
 * Returns the action for each of these bookings: of a reassignment to a pool, the resources in the order in which the booking takes
 * them. Only those that were in the pool when the bulk was started are taken, since its groups are made of them.
 */
export async function findActions(
  tx: Tx,
  { organizationId }: Actor,
  action: Placing,
  rows: readonly LockedReservation[],
): Promise<(row: LockedReservation) => Placing> {
  if (!('reassign' in action) || action.reassign.pool === undefined || rows.length === 0) return () => action
  const { pool, resourceIds = [] } = action.reassign
  const starts = rows.map(({ starts_at }) => starts_at)
  const orders = poolOrders(await loadPool(tx.db, organizationId, { pool, locationId: null }, starts), starts)
  const byId = new Map(rows.map(({ id }, at) => [id, orders[at]!.filter((one) => resourceIds.includes(one))]))
  return ({ id }) => ({ reassign: { ...action.reassign, resourceIds: byId.get(id)! } })
}
