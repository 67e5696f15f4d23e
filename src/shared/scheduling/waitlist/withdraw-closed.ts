import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import { withdrawOffers } from './end-offer.ts'

/** Withdraws the open offers whose places closures cover: of the organization, of their resource, or of its location. */
export async function withdrawClosed(tx: Tx, by: Cause, closureIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select f.id from offer f
    left join resource x on x.organization_id = f.organization_id and x.id = f.resource_id
    where f.organization_id = ${by.organizationId} and f.status = 'open' and exists (select from closure c
      where c.organization_id = f.organization_id and c.id = any(${closureIds}::int[])
        and c.starts_at < f.ends_at and c.ends_at > f.starts_at and (c.resource_id is null or c.resource_id = f.resource_id)
        and (c.location_id is null or c.location_id = x.location_id))`.execute(tx.db)
  if (rows.length > 0) await withdrawOffers(tx, by, { id: { $in: rows.map(({ id }) => id) } }, 'closed')
}
