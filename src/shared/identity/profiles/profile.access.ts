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

/** Returns whether a member read a record since an instant, according to the audit log. */
export async function hasRead(
  source: Source,
  { organizationId, orgUserId: by }: Actor,
  { kind, subject, since }: { kind: string; subject: { kind: string; id: number }; since: Date },
): Promise<boolean> {
  const [row] = await readRows(
    source,
    sql<{ id: string }>`
    select id from event where organization_id = ${organizationId} and subject_kind = ${subject.kind}
      and subject_id = ${subject.id} and kind = ${kind} and membership_id = ${by} and at > ${since} limit 1`,
  )
  return row !== undefined
}

/**
 * Returns how many different profiles of others a member read since an instant, according to the audit log, and whether
 * that of `orgUserId` is among them.
 */
export async function countProfilesRead(
  source: Source,
  { organizationId, orgUserId: by }: Actor,
  { orgUserId, since }: { orgUserId: number; since: Date },
): Promise<{ profiles: number; among: boolean }> {
  const [row] = await readRows(
    source,
    sql<{ profiles: number; among: boolean }>`
    select count(distinct subject_id)::int as profiles, coalesce(bool_or(subject_id = ${orgUserId}), false) as among
    from event where organization_id = ${organizationId} and kind = 'profile.read' and membership_id = ${by}
      and at > ${since}`,
  )
  return row!
}
