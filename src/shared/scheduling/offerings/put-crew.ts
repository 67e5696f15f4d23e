import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'

/**
 * Replaces the aircraft of an offering.
 * @throws Invalid naming those that are no plane of the organization.
 */
export async function putResources(
  tx: Tx,
  organizationId: number,
  offeringId: number,
  given: readonly number[],
): Promise<void> {
  const ids = [...new Set(given)]
  const planes = await tx.db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'plane')
    .where('id', 'in', ids)
    .execute()
  mustKnow('resourceIds: there is no plane', ids, planes)
  await tx.db
    .deleteFrom('offering_resource')
    .where('organization_id', '=', organizationId)
    .where('offering_id', '=', offeringId)
    .execute()
  await tx.db
    .insertInto('offering_resource')
    .values(ids.map((id) => ({ organization_id: organizationId, offering_id: offeringId, resource_id: id })))
    .execute()
}

/**
 * Replaces the instructors of an offering.
 * @throws Invalid naming those who are no instructor of the organization.
 */
export async function putInstructors(
  tx: Tx,
  organizationId: number,
  offeringId: number,
  given: readonly number[],
): Promise<void> {
  const ids = [...new Set(given)]
  await tx.db
    .deleteFrom('offering_instructor')
    .where('organization_id', '=', organizationId)
    .where('offering_id', '=', offeringId)
    .execute()
  if (ids.length === 0) return
  const instructors = await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .where('instructor', '=', true)
    .where('id', 'in', ids)
    .execute()
  mustKnow('instructorOrgUserIds: there is no instructor', ids, instructors)
  await tx.db
    .insertInto('offering_instructor')
    .values(ids.map((id) => ({ organization_id: organizationId, offering_id: offeringId, membership_id: id })))
    .execute()
}

function mustKnow(refusal: string, ids: readonly number[], found: readonly { id: number }[]): void {
  const unknown = ids.filter((id) => !found.some((one) => one.id === id))
  if (unknown.length > 0) throw new Invalid(`${refusal} ${unknown.join(', ')}`)
}
