import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import { staff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import { CurrencyRule } from '../qualification.tables.ts'

/**
 * Returns the currency to record dates for.
 * @throws NotFound when the organization has none with this id.
 */
export async function findRule(
  tx: Tx,
  { organizationId }: Actor,
  id: number,
  options: { lockMode?: LockMode } = {},
): Promise<CurrencyRule> {
  const rule = await tx.em.findOne(CurrencyRule, { organizationId, id }, options)
  if (!rule) throw platformErrors.noSuchRecord()
  return rule
}

/**
 * Locks the currency to change or delete, so that the audit log has each change once, from what was there.
 * @throws NotFound when the organization has none with this id.
 */
export function lockRule(tx: Tx, actor: Actor, id: number): Promise<CurrencyRule> {
  return findRule(tx, actor, id, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/** Checks that the organization has the resources that a request names. */
export async function assertHasResources(tx: Tx, { organizationId }: Actor, resourceIds: number[]): Promise<void> {
  if (resourceIds.length === 0) return
  const found = await tx.db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', resourceIds)
    .execute()
  const known = new Set(found.map(({ id }) => id))
  const missing = resourceIds.findIndex((id) => !known.has(id))
  if (missing >= 0) throw qualificationErrors.unknownResource({ index: missing })
}

/** Returns whether a document is verified. Only somebody other than its owner can verify it. */
export async function isVerifiedDocument(tx: Tx, { organizationId }: Actor, id: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom('document')
    .select('status')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.status === 'verified'
}

/** Returns whether the organization has a staff member other than the actor. */
export async function hasOtherStaff(tx: Tx, { organizationId, orgUserId }: Actor): Promise<boolean> {
  const row = await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '<>', orgUserId)
    .where('removed_at', 'is', null)
    .where((eb) => eb.or(staff.map((role) => eb(role, '=', true))))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
