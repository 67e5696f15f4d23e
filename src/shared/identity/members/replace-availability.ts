import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { invalidFields } from '../../platform/platform.errors.ts'
import { type PatternItem, patternProblems } from './availability.rules.ts'
import { findMember, lockMember } from './member.access.ts'

/** The member whose weekly pattern is replaced. */
type PatternOf = Pick<Actor, 'organizationId' | 'orgUserId'>

/**
 * Replaces the weekly pattern of a member, for desk staff.
 * Implements interface §Members, PATCH /orgUsers/{id}/availability.
 */
export async function replaceAvailabilityOf(
  tx: Tx,
  { organizationId }: Pick<Actor, 'organizationId'>,
  id: number,
  items: PatternItem[],
): Promise<{ id: number }> {
  await findMember(tx, organizationId, { id })
  await replaceAvailability(tx, { organizationId, orgUserId: id }, items)
  return { id }
}

/**
 * Replaces the weekly pattern of a member. A member without a pattern is always available.
 * Implements interface §Members, PATCH /users/availability.
 */
export async function replaceAvailability(tx: Tx, member: PatternOf, items: PatternItem[]): Promise<void> {
  const problems = patternProblems(items)
  if (problems.length > 0) {
    throw invalidFields(problems)
  }
  const { organizationId, orgUserId } = member
  // The lock on the member's row runs concurrent changes one at a time: the later one replaces the earlier one.
  await lockMember(tx, member)
  await tx.db
    .deleteFrom('availability')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .execute()
  if (items.length === 0) return
  await tx.db
    .insertInto('availability')
    .values(
      items.map((item) => ({
        organization_id: organizationId,
        membership_id: orgUserId,
        day_of_week: item.dayOfWeek,
        start_minute: item.startMinute,
        end_minute: item.endMinute,
      })),
    )
    .execute()
}
