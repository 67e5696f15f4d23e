import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import { identityErrors } from '../identity.errors.ts'
import type { Membership } from '../members.tables.ts'
import { endClaims } from './change-contacts.ts'
import { endOpenWork } from './end-open-work.ts'
import { otherLeaders } from './member.access.ts'
import { endBillToOf } from './set-bill-to.ts'

/**
 * Ensures that the organization keeps an owner when this member leaves. The caller holds the organization's lock.
 * Implements interface §Members, DELETE /orgUsers/{id}.
 */
export async function assertIsNotLastOwner(tx: Tx, member: Membership, organization: { id: number; name: string }) {
  if (!member.owner || (await otherLeaders(tx, member)).some((other) => other.owner)) return
  throw identityErrors.lastOwner(
    { organization: organization.name },
    { organization: { id: organization.id, name: organization.name } },
  )
}

const futureTables = [
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
 * Ends a membership. The row remains, so that past bookings show the name. Deletes rows that matter only for the
 * future: the weekly pattern, time off, checkouts, groups, training grants, connected accounts, calendar addresses and
 * open invitations. Ends open upload forms, and what the member pays for others and others for the member; with `mergedInto` that member
 * is asked to pay for them. Returns the members for whom the leaving member paid.
 * Implements interface §Members, DELETE /orgUsers/{id}.
 */
export async function endMembership(
  tx: Tx,
  member: Membership,
  { by, mergedInto }: { by: Cause; mergedInto?: Membership },
): Promise<Membership[]> {
  const { organizationId, id } = member
  const payees = await endBillToOf(tx, by, member, mergedInto)
  for (const table of futureTables) {
    await tx.db
      .deleteFrom(table)
      .where('organization_id', '=', organizationId)
      .where('membership_id', '=', id)
      .execute()
  }
  await endOpenWork(tx, member, null)
  await endClaims(tx, member)
  member.removedAt = tx.now
  return payees
}
