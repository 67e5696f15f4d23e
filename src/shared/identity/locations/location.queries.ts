import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { NotFound } from '../../platform/kernel/errors.ts'

/**
 * Selects the locations of some organizations, oldest first. An organization takes its zone from its first location.
 */
export function selectLocations(db: Db, organizationIds: number[]) {
  return db.selectFrom('location').selectAll().where('organization_id', 'in', organizationIds).orderBy('id')
}

export type LocationRow = Awaited<ReturnType<ReturnType<typeof selectLocations>['execute']>>[number]

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
