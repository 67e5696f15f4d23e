import { LockMode } from '@mikro-orm/core'
import { identityErrors } from '../../identity/identity.errors.ts'
import { Location } from '../../identity/organizations.tables.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { seal } from '../../platform/seals/seal.ts'
import { Resource } from '../fleet.tables.ts'

/**
 * Returns the resource to change. Locks it, because several use cases write its meters, fuel and grounding.
 * @throws NotFound when the organization has none with this id.
 */
export async function lockResource(tx: Tx, actor: Actor, id: number): Promise<Resource> {
  const resource = await tx.em.findOne(
    Resource,
    { id, organizationId: actor.organizationId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  if (!resource) throw platformErrors.noSuchRecord()
  return resource
}

/**
 * Returns, locked, the resource to ground or to return to service.
 * @throws Forbidden when the resource belongs to another organization
 * @throws NotFound when no organization has it
 */
export async function lockResourceToGround(tx: Tx, actor: Actor, id: number): Promise<Resource> {
  return lockResource(tx, actor, id).catch(async (error: unknown) => {
    if (error instanceof NotFound && (await tx.em.count(Resource, { id })) > 0) throw platformErrors.notAllowed()
    throw error
  })
}

/**
 * Returns, locked, a file of a resource or, with `squawkId`, of one of its squawks. Files of completed maintenance
 * cannot be changed, so it does not find them.
 */
export async function lockFile(tx: Tx, { organizationId }: Actor, { id, fileId, squawkId }: FileAddress) {
  const file = await tx.db
    .selectFrom('resource_file')
    .select([
      'id',
      'category',
      'visibility',
      'label',
      'expires_at',
      'storage_key as storageKey',
      'created_at as createdAt',
    ])
    .where('organization_id', '=', organizationId)
    .where('id', '=', fileId)
    .where('resource_id', '=', id)
    .where('squawk_id', squawkId === undefined ? 'is' : '=', squawkId ?? null)
    .where('completion_id', 'is', null)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!file) throw platformErrors.noSuchRecord()
  return file
}

/** The id of a file, of its resource, and, for a file of a squawk, of the squawk. */
export interface FileAddress {
  id: number
  fileId: number
  squawkId?: number
}

/** Ensures that the location that a body names belongs to the organization. */
export async function assertHasLocation(tx: Tx, actor: Actor, id: number): Promise<void> {
  const location = await tx.em.findOne(Location, { id, organizationId: actor.organizationId })
  if (!location) throw identityErrors.unknownLocation({ field: 'location.id' })
}

/**
 * Seals that the completions of a resource's maintenance, or of one of its items, are deleted with their reversals. Each has a seal, so
 * without this one it would be missing.
 */
export async function sealDeletedCompletions(
  tx: Tx,
  actor: Actor,
  { resourceId, reminderId }: { resourceId: number; reminderId?: number },
): Promise<void> {
  let query = tx.db
    .selectFrom('maintenance_completion as c')
    .innerJoin('maintenance_item as d', (join) =>
      join.onRef('d.organization_id', '=', 'c.organization_id').onRef('d.id', '=', 'c.reminder_id'),
    )
    .leftJoin('maintenance_reversal as u', (join) =>
      join.onRef('u.organization_id', '=', 'c.organization_id').onRef('u.completion_id', '=', 'c.id'),
    )
    .select(['c.id', 'u.id as reversalId'])
    .where('c.organization_id', '=', actor.organizationId)
    .where('d.resource_id', '=', resourceId)
    .orderBy('c.id')
  if (reminderId !== undefined) query = query.where('d.id', '=', reminderId)
  for (const { id, reversalId } of await query.execute()) {
    seal(tx, actor, 'maintenance.completion_deleted', { id, of: null })
    if (reversalId !== null) seal(tx, actor, 'maintenance.reversal_deleted', { id: reversalId, of: null })
  }
}
