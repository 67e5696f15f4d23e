import type { Tx } from '../../platform/db/transaction.ts'
import { assertHasInstructors, assertHasResources } from '../rules/named-records.access.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

/** Replaces the aircraft of an offering. */
export async function replaceResources(
  tx: Tx,
  organizationId: number,
  offeringId: number,
  given: readonly number[],
): Promise<void> {
  const ids = [...new Set(given)]
  await assertHasResources(tx.db, organizationId, { ids, kinds: ['plane'] }, schedulingErrors.noSuchPlanes)
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

/** Replaces the instructors of an offering. */
export async function replaceInstructors(
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
  await assertHasInstructors(tx.db, organizationId, ids)
  await tx.db
    .insertInto('offering_instructor')
    .values(ids.map((id) => ({ organization_id: organizationId, offering_id: offeringId, membership_id: id })))
    .execute()
}
