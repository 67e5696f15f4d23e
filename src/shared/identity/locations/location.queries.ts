import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { type LocationRow, selectLocations } from '../organizations/organization.queries.ts'

/** Lists an organization's locations, oldest first. */
export function listLocations(db: Db, organizationId: number) {
  return pageable(db, selectLocations(db, [organizationId]))
}

/**
 * Returns one location of the organization.
 * @throws NotFound when the organization has no such location.
 */
export async function findLocation(db: Db, organizationId: number, id: number): Promise<LocationRow> {
  const row = await selectLocations(db, [organizationId]).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return row
}
