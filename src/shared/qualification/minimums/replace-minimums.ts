import { lockMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { findMinimums } from './minimums.queries.ts'
import type { PilotMinimums } from './minimums.rules.ts'

/** Replaces the personal weather limits of a member. Implements interface §Members, PUT /orgUsers/{id}/minimums. */
export async function replaceMinimums(
  tx: Tx,
  actor: Actor,
  orgUserId: number,
  minimums: PilotMinimums,
): Promise<{ orgUserId: number }> {
  const { organizationId } = actor
  await lockMember(tx, { organizationId, orgUserId })
  const { minimums: before } = await findMinimums(tx, actor, orgUserId)
  const columns = {
    ceiling_feet: minimums.ceilingFeet,
    visibility_miles: minimums.visibilityMiles,
    wind_knots: minimums.windKnots,
    gust_knots: minimums.gustKnots,
    crosswind_knots: minimums.crosswindKnots,
  }
  await tx.db
    .insertInto('pilot_minimums')
    .values({ organization_id: organizationId, membership_id: orgUserId, ...columns })
    .onConflict((row) => row.columns(['organization_id', 'membership_id']).doUpdateSet(columns))
    .execute()
  emit(tx, actor, {
    kind: 'minimums.changed',
    subject: { kind: 'member', id: orgUserId },
    before: { ...before },
    after: { ...minimums },
  })
  return { orgUserId }
}
