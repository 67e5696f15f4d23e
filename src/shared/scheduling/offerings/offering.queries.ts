import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

/** Selects the offerings of an organization by name, each with its aircraft and instructors in their stored order. */
export function selectOfferings(db: Db, organizationId: number) {
  return db
    .selectFrom('offering')
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('offering_resource as x')
        .whereRef('x.organization_id', '=', 'offering.organization_id')
        .whereRef('x.offering_id', '=', 'offering.id')
        .select(sql<number[]>`coalesce(array_agg(x.resource_id order by x.id), '{}')`.as('ids'))
        .as('resource_ids'),
      eb
        .selectFrom('offering_instructor as x')
        .whereRef('x.organization_id', '=', 'offering.organization_id')
        .whereRef('x.offering_id', '=', 'offering.id')
        .select(sql<number[]>`coalesce(array_agg(x.membership_id order by x.id), '{}')`.as('ids'))
        .as('instructor_ids'),
    ])
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
}

export type OfferingRow = Awaited<ReturnType<ReturnType<typeof selectOfferings>['execute']>>[number]

/** Returns the offerings of an organization, by name. */
export function listOfferings(db: Db, organizationId: number) {
  return pageable(db, selectOfferings(db, organizationId))
}

/**
 * Returns one offering of the organization.
 * @throws NotFound when there is none with this id.
 */
export async function findOffering(db: Db, organizationId: number, id: number): Promise<OfferingRow> {
  const row = await selectOfferings(db, organizationId).where('id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}
