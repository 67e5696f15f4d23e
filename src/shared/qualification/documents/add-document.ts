import { mustBeMember, mustTakeUploads } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden } from '../../platform/kernel/errors.ts'
import { expectUpload, newFile } from '../../platform/storage/arrange-upload.ts'
import { Document } from './document.entity.ts'
import { type DocumentCategory, initialExpiryToldAt, readsAll } from './document.rules.ts'

export interface NewDocument {
  title: string
  category: DocumentCategory
  /** The owner: the caller when left out, null for the organization. */
  orgUserId?: number | null | undefined
  expiresAt?: Date | null | undefined
  fileName: string
}

/**
 * Inserts the row of a document to be uploaded. Desk staff add documents of anybody and of the organization, other
 * members their own.
 * @throws Forbidden for somebody else's, and in a demo organization.
 * @throws TooManyRequests when too many uploads are prepared and not sent.
 * @throws Invalid naming the field: a type of file that is not accepted, or a person who is not in the organization.
 */
export async function addDocument(tx: Tx, actor: Actor, input: NewDocument): Promise<{ id: number }> {
  const { title, category, orgUserId = actor.orgUserId, expiresAt = null, fileName } = input
  if (orgUserId !== actor.orgUserId) {
    if (!readsAll(actor)) throw new Forbidden('Only desk staff add documents that are not their own.')
    if (orgUserId !== null) await mustBeMember(tx, actor, orgUserId, 'orgUserId')
  }
  await mustTakeUploads(tx, actor, 1, orgUserId === actor.orgUserId ? 'member' : deskStaff)
  const document = tx.em.create(Document, {
    ...newFile(tx, actor, fileName, 'fileName'),
    title,
    category,
    membershipId: orgUserId,
    expiresAt,
    expiryToldAt: initialExpiryToldAt(expiresAt, tx.now),
  })
  await tx.em.flush()
  expectUpload(tx, 'document', document)
  return { id: document.id }
}
