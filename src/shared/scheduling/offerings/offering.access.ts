import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Invalid } from '../../platform/kernel/errors.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { Offering } from '../booking-requests.tables.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

/** Returns the offering to change or delete, locked until the commit. */
export async function lockOffering(tx: Tx, { organizationId }: Actor, id: number): Promise<Offering> {
  const offering = await tx.em.findOne(Offering, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!offering) throw platformErrors.noSuchRecord()
  return offering
}

/** Checks that the aircraft that a request names are planes of the organization. */
export async function assertHasPlanes(db: Db, organizationId: number, ids: readonly number[]): Promise<void> {
  const planes = await db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'plane')
    .where('id', 'in', ids)
    .execute()
  assertKnows(schedulingErrors.noSuchPlanes, ids, planes)
}

/** Checks that the members that a request names are instructors of the organization. */
export async function assertHasInstructors(db: Db, organizationId: number, ids: readonly number[]): Promise<void> {
  const instructors = await db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .where('instructor', '=', true)
    .where('id', 'in', ids)
    .execute()
  assertKnows(schedulingErrors.noSuchInstructors, ids, instructors)
}

type Refusing = (parameters: { ids: string }) => Invalid

function assertKnows(refusing: Refusing, ids: readonly number[], found: readonly { id: number }[]): void {
  const unknown = ids.filter((id) => !found.some((one) => one.id === id))
  if (unknown.length > 0) throw refusing({ ids: unknown.join(', ') })
}
