import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { dropObject } from '../../platform/storage/uploads.ts'
import { ResourceFile } from './resource-file.entity.ts'
import type { FileCategory, FileVisibility } from './resource-file.rules.ts'

/** A file's id with the id of its resource. */
export interface FileAddress {
  id: number
  fileId: number
}

/**
 * Changes the metadata of a file; the bytes stay. Implements interface §Resources.
 * @throws NotFound when it is not on this resource.
 */
export async function updateFile(
  tx: Tx,
  actor: Actor,
  address: FileAddress,
  changes: {
    category?: FileCategory | undefined
    visibility?: FileVisibility | undefined
    label?: string | null | undefined
  },
): Promise<{ id: number }> {
  const file = await find(tx, actor, address)
  file.category = changes.category ?? file.category
  file.visibility = changes.visibility ?? file.visibility
  if (changes.label !== undefined) file.label = changes.label
  return { id: file.id }
}

/**
 * Deletes a file: the row is marked deleted, the stored object is dropped. Implements interface §Resources.
 * @throws NotFound when it is not on this resource.
 */
export async function deleteFile(tx: Tx, actor: Actor, address: FileAddress): Promise<void> {
  const file = await find(tx, actor, address)
  file.deletedAt = tx.now
  dropObject(tx, file)
}

async function find(tx: Tx, { organizationId }: Actor, { id, fileId }: FileAddress): Promise<ResourceFile> {
  const file = await tx.em.findOne(
    ResourceFile,
    { id: fileId, resourceId: id, organizationId, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  if (!file) throw new NotFound()
  return file
}
