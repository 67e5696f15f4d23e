import type { ResourceKind } from '../../fleet/resources/resource.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Invalid } from '../../platform/kernel/errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

type Refusing = (parameters: { ids: string }) => Invalid

/** Checks that the resources that a request names are of these kinds in the organization. */
export async function assertHasResources(
  db: Db,
  organizationId: number,
  { ids, kinds }: { ids: readonly number[]; kinds: readonly ResourceKind[] },
  refusing: Refusing,
): Promise<void> {
  if (ids.length === 0) return
  const resources = await db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', 'in', [...kinds])
    .where('id', 'in', [...ids])
    .execute()
  assertKnows(refusing, ids, resources)
}

/** Checks that the members that a request names are instructors of the organization. */
export async function assertHasInstructors(db: Db, organizationId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const instructors = await db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .where('instructor', '=', true)
    .where('id', 'in', [...ids])
    .execute()
  assertKnows(schedulingErrors.noSuchInstructors, ids, instructors)
}

function assertKnows(refusing: Refusing, ids: readonly number[], found: readonly { id: number }[]): void {
  const unknown = ids.filter((id) => !found.some((one) => one.id === id))
  if (unknown.length > 0) throw refusing({ ids: unknown.join(', ') })
}
