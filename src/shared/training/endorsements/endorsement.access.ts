import { LockMode } from '@mikro-orm/core'
import { identityErrors } from '../../identity/identity.errors.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { Endorsement } from '../endorsements.tables.ts'
import { trainingErrors } from '../training.errors.ts'

/** Returns the endorsement that a new one supersedes, with its row locked until the commit. */
export async function lockToReplace(
  tx: Tx,
  { organizationId }: Actor,
  id: number,
  membershipId: number,
): Promise<Endorsement> {
  const replaced = await tx.em.findOne(
    Endorsement,
    { id, organizationId, membershipId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  if (!replaced) throw trainingErrors.unknownSuperseded()
  if (replaced.supersededAt) throw platformErrors.endorsementReplaced()
  return replaced
}

/** Returns an endorsement, locked until the commit. */
export async function lockEndorsement(tx: Tx, { organizationId }: Actor, id: number): Promise<Endorsement> {
  const endorsement = await tx.em.findOne(
    Endorsement,
    { id, organizationId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  if (!endorsement) throw trainingErrors.noSuchEndorsement()
  return endorsement
}

/** Checks that the enrollment of an endorsement belongs to the endorsed member. */
export async function assertIsTheirEnrollment(
  tx: Tx,
  { organizationId }: Actor,
  id: number,
  membershipId: number,
): Promise<void> {
  const enrollment = await tx.db
    .selectFrom('enrollment')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('membership_id', '=', membershipId)
    .executeTakeFirst()
  if (!enrollment) throw trainingErrors.notTheirEnrollment()
}

/** Returns the name of the member for whom a template is filled in. */
export async function nameToFillIn(db: Db, { organizationId }: Actor, orgUserId: number): Promise<string> {
  const row = await db
    .selectFrom('membership')
    .select('membership.search_name as name')
    .where('membership.organization_id', '=', organizationId)
    .where('membership.id', '=', orgUserId)
    .where('membership.removed_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw identityErrors.unknownMember({ field: 'orgUserId' })
  return row.name
}

/**
 * Checks that a signer who is given by member id and by name has that name, ignoring case. Checks nothing when one of
 * the two is null.
 */
export async function assertIsTheirName(
  tx: Tx,
  { organizationId }: Actor,
  { orgUserId, name }: { orgUserId: number | null; name: string | null },
): Promise<void> {
  if (orgUserId === null || name === null) return
  const member = await tx.db
    .selectFrom('membership')
    .select('search_name as name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .executeTakeFirst()
  if (member && member.name?.toLowerCase() !== name.trim().toLowerCase()) throw trainingErrors.signerNameDiffers()
}
