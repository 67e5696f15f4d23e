import type { Tx } from '../../platform/db/transaction.ts'
import { Conflict } from '../../platform/kernel/errors.ts'
import { endLeftovers } from './end-leftovers.ts'
import { otherLeaders } from './find-member.ts'
import type { Membership } from './membership.entity.ts'

/** Refuses to leave an organization without an owner; ask behind its lock. @throws Conflict LAST_OWNER */
export async function mustNotBeLastOwner(tx: Tx, member: Membership, organization: { id: number; name: string }) {
  if (!member.owner || (await otherLeaders(tx, member)).some((other) => other.owner)) return
  throw new Conflict(
    `${organization.name} would be left without an owner: make somebody else one, or delete the organization first.`,
    'LAST_OWNER',
    { organization: { id: organization.id, name: organization.name } },
  )
}

const onlyAhead = [
  'availability',
  'time_off',
  'resource_approval',
  'group_member',
  'training_grant',
  'connected_account',
  'connection_state',
  'calendar_feed',
] as const

/**
 * Ends a membership. The row stays, so that past bookings keep the name; what only concerned the future goes:
 * the weekly pattern, time off, approvals on aircraft, places in groups, training grants, accounts for meetings, the
 * calendar's address, and what the member could begin only as one.
 */
export async function endMembership(tx: Tx, member: Membership): Promise<void> {
  const { organizationId, id } = member
  for (const table of onlyAhead) {
    await tx.db
      .deleteFrom(table)
      .where('organization_id', '=', organizationId)
      .where('membership_id', '=', id)
      .execute()
  }
  await endLeftovers(tx, member, null)
  member.removedAt = tx.now
}
