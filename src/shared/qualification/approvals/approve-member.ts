import { sql } from 'kysely'
import { fleetErrors } from '../../fleet/fleet.errors.ts'
import { lockResource } from '../../fleet/resources/resource.access.ts'
import { assertIsMember, findMember } from '../../identity/members/member.access.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import { isApprovedByModel } from './approval.queries.ts'

/** Whether a member is approved on a resource. */
export interface Approval {
  resourceId: number
  userId: number
  orgUserId: number
  approved: boolean
}

/**
 * Approves a member on a resource without an expiry, or withdraws the approval. Idempotent. Implements interface §Resources
 * (approve, unapprove).
 */
export async function approveMember(
  tx: Tx,
  actor: Actor,
  input: { resourceId: number; userId: number; approved: boolean },
): Promise<Approval> {
  const { resourceId, userId, approved } = input
  const { organizationId } = actor
  await lockResource(tx, actor, resourceId)
  const member = await findMember(tx, organizationId, { accountId: userId })
  if (approved) {
    await tx.db
      .insertInto('resource_approval')
      .values({
        organization_id: organizationId,
        resource_id: resourceId,
        membership_id: member.id,
        approved_by: actor.orgUserId,
      })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'resource_id', 'membership_id']).doUpdateSet({ expires_at: null }),
      )
      .execute()
  } else {
    const by = { organizationId, membershipId: member.id, resourceId }
    if (await isApprovedByModel(tx.db, by, tx.now)) throw qualificationErrors.approvedByModel()
    await tx.db
      .deleteFrom('resource_approval')
      .where('organization_id', '=', organizationId)
      .where('resource_id', '=', resourceId)
      .where('membership_id', '=', member.id)
      .execute()
  }
  emit(tx, actor, {
    kind: approved ? 'approval.given' : 'approval.withdrawn',
    subject: { kind: 'member', id: member.id },
    after: { resourceId },
  })
  return { resourceId, userId, orgUserId: member.id, approved }
}

/** What a member is approved on: a resource, or a make and model; and until when. */
export interface NewApproval {
  orgUserId: number
  resourceId: number | null
  make: string | null
  model: string | null
  expiresAt: Date | null
}

/**
 * Approves a member on a resource or on every aircraft of a make and model. When this approval exists already, replaces its
 * expiry and approver. Implements interface §Approvals.
 */
export async function giveApproval(
  tx: Tx,
  actor: Actor,
  { orgUserId, resourceId, make, model, expiresAt }: NewApproval,
): Promise<{ id: number; made: boolean }> {
  assertApproves(actor, orgUserId)
  const { organizationId } = actor
  await assertIsMember(tx, actor, orgUserId, 'orgUserId')
  if (resourceId !== null) {
    await lockResource(tx, actor, resourceId).catch((error: unknown) => {
      throw error instanceof NotFound ? fleetErrors.unknownResource({ field: 'resourceId' }) : error
    })
  }
  const { rows } = await sql<{ id: number; made: boolean }>`
    insert into resource_approval (organization_id, membership_id, resource_id, make, model, expires_at, approved_by)
    values (${organizationId}, ${orgUserId}, ${resourceId}, ${make}, ${model}, ${expiresAt}, ${actor.orgUserId})
    on conflict ${resourceId === null ? sameModel : sql`(organization_id, resource_id, membership_id)`}
      do update set expires_at = excluded.expires_at, approved_by = excluded.approved_by
    returning id, xmax = 0 as made`.execute(tx.db)
  const after = resourceId === null ? { make, model, expiresAt } : { resourceId, expiresAt }
  emit(tx, actor, { kind: 'approval.given', subject: { kind: 'member', id: orgUserId }, after })
  return rows[0]!
}

/** The unique index of approvals by make and model. */
const sameModel = sql`(organization_id, membership_id, lower(btrim(make)), lower(btrim(model))) where make is not null`

/** Withdraws an approval; bookings made under it stay. Implements interface §Approvals. */
export async function withdrawApproval(tx: Tx, actor: Actor, id: number): Promise<void> {
  const gone = await tx.db
    .deleteFrom('resource_approval')
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', id)
    .returning(['membership_id', 'resource_id', 'make', 'model'])
    .executeTakeFirst()
  if (!gone) throw platformErrors.noSuchRecord()
  assertApproves(actor, gone.membership_id)
  const { resource_id: resourceId, make, model } = gone
  const after = resourceId === null ? { make, model } : { resourceId }
  emit(tx, actor, { kind: 'approval.withdrawn', subject: { kind: 'member', id: gone.membership_id }, after })
}

function assertApproves(actor: Actor, orgUserId: number): void {
  if (is(actor, admins)) return
  const teaches = is(actor, ['instructor']) && actor.organization.settings.instructorsApprove
  if (!teaches || orgUserId === actor.orgUserId) throw platformErrors.notAllowed()
}
