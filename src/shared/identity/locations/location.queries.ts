import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { NotFound } from '../../platform/kernel/errors.ts'

/** The locations of some organizations, oldest first; the first is where an organization's zone comes from. */
export function selectLocations(db: Db, organizationIds: number[]) {
  return db.selectFrom('location').selectAll().where('organization_id', 'in', organizationIds).orderBy('id')
}

export type LocationRow = Awaited<ReturnType<ReturnType<typeof selectLocations>['execute']>>[number]

/** The list of an organization's locations, oldest first. */
export function listLocations(db: Db, organizationId: number) {
  return pageable(db, selectLocations(db, [organizationId]))
}

/** One location of the organization. @throws NotFound */
export async function findLocation(db: Db, organizationId: number, id: number): Promise<LocationRow> {
  const row = await selectLocations(db, [organizationId]).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return row
}
