import type { UpdateObject } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tables } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { dropObject } from '../../platform/storage/uploads.ts'
import { type FileAddress, lockFile } from './resource.access.ts'
import type { FileCategory, FileVisibility } from './resource.rules.ts'

/**
 * Changes the metadata of a file; its bytes stay.
 * Implements interface §Resources.
 */
export async function updateFile(
  tx: Tx,
  actor: Actor,
  address: FileAddress,
  changes: {
    category?: FileCategory | undefined
    visibility?: FileVisibility | undefined
    label?: string | null | undefined
    expiresAt?: Date | null | undefined
  },
): Promise<{ id: number }> {
  const file = await lockFile(tx, actor, address)
  const category = changes.category ?? file.category
  const visibility = changes.visibility ?? file.visibility
  const label = changes.label === undefined ? file.label : changes.label
  const expiresAt = changes.expiresAt === undefined ? file.expires_at : changes.expiresAt
  const isMoved = expiresAt?.getTime() !== file.expires_at?.getTime()
  if (category !== file.category || visibility !== file.visibility || label !== file.label || isMoved) {
    await changeRow(tx, actor, file.id, { category, visibility, label, expires_at: expiresAt })
  }
  return { id: file.id }
}

/**
 * Deletes a file: marks the row as deleted, and enqueues the deletion of the stored object.
 * Implements interface §Resources.
 */
export async function deleteFile(tx: Tx, actor: Actor, address: FileAddress): Promise<void> {
  const file = await lockFile(tx, actor, address)
  await changeRow(tx, actor, file.id, { deleted_at: tx.now })
  dropObject(tx, file)
}

async function changeRow(
  tx: Tx,
  { organizationId }: Actor,
  id: number,
  changes: UpdateObject<Tables, 'resource_file'>,
): Promise<void> {
  await tx.db
    .updateTable('resource_file')
    .set(changes)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}
