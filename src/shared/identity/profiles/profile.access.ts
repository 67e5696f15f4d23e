import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import { readRows, type Source } from '../../platform/db/read-rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { lockMember } from '../members/member.access.ts'
import { MemberProfile } from '../members.tables.ts'

/**
 * Returns the profile of a member for a change; null when there is none yet. Locks the member, so that changes run one
 * at a time.
 */
export async function lockProfile(
  tx: Tx,
  member: { organizationId: number; orgUserId: number },
): Promise<MemberProfile | null> {
  await lockMember(tx, member)
  const { organizationId, orgUserId: membershipId } = member
  return tx.em.findOne(MemberProfile, { organizationId, membershipId })
}

/** Returns whether a member read the profile of another since an instant, according to the audit log. */
export async function hasReadProfile(
  source: Source,
  { organizationId, orgUserId }: Actor,
  ofOrgUserId: number,
  since: Date,
): Promise<boolean> {
  const [row] = await readRows(
    source,
    sql<{ id: string }>`
    select id from event where organization_id = ${organizationId} and subject_kind = 'member'
      and subject_id = ${ofOrgUserId} and kind = 'profile.read' and membership_id = ${orgUserId} and at > ${since} limit 1`,
  )
  return row !== undefined
}
