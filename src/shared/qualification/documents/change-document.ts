import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { dropObject } from '../../platform/storage/uploads.ts'
import { lockDocument } from './document.access.ts'
import { type DocumentCategory, initialExpiryToldAt } from './document.rules.ts'

export interface DocumentChanges {
  title?: string | undefined
  category?: DocumentCategory | undefined
  expiresAt?: Date | null | undefined
}

/**
 * Changes the metadata of a document; its owner and the bytes stay.
 * @throws NotFound when the caller may not see it.
 * @throws Forbidden when the caller may only see it.
 */
export async function updateDocument(
  tx: Tx,
  actor: Actor,
  id: number,
  { title, category, expiresAt }: DocumentChanges,
): Promise<{ id: number }> {
  const document = await lockDocument(tx, actor, id)
  document.title = title ?? document.title
  document.category = category ?? document.category
  if (expiresAt !== undefined && expiresAt?.getTime() !== document.expiresAt?.getTime()) {
    document.expiresAt = expiresAt
    document.expiryToldAt = initialExpiryToldAt(expiresAt, tx.now)
  }
  return { id }
}

/**
 * Deletes a document, row and bytes. A currency record that named it keeps its dates without a document.
 * @throws NotFound when the caller may not see it.
 * @throws Forbidden when the caller may only see it.
 */
export async function deleteDocument(tx: Tx, actor: Actor, id: number): Promise<void> {
  const document = await lockDocument(tx, actor, id)
  tx.em.remove(document)
  dropObject(tx, document)
}
