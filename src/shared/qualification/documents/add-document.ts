import { mustBeMember } from '../../identity/members/must-be-member.ts'
import { mustTakeUploads } from '../../identity/members/must-take-uploads.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden } from '../../platform/kernel/errors.ts'
import { expectUpload, newFile } from '../../platform/storage/arrange-upload.ts'
import { Document } from './document.entity.ts'
import { type DocumentCategory, readsAll, toldWhenWritten } from './document.rules.ts'

export interface NewDocument {
  title: string
  category: DocumentCategory
  /** Whose: one's own when left out, null for the organization's. */
  orgUserId?: number | null | undefined
  expiresAt?: Date | null | undefined
  fileName: string
}

/**
 * Makes the row of a document that is about to be uploaded. Desk staff add anybody's and the organization's, the
 * others their own.
 * @throws Forbidden for somebody else's, and in a demo organization
 * @throws TooManyRequests when too many files are arranged and not sent
 * @throws Invalid for a kind of file that is not taken, or nobody of the organization, naming the field
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
    expiryToldAt: toldWhenWritten(expiresAt, tx.now),
  })
  await tx.em.flush()
  expectUpload(tx, 'document', document)
  return { id: document.id }
}
