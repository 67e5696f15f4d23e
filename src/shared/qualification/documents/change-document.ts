import { assertTakesUploads } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Role } from '../../platform/authz/roles.ts'
import type { DocumentCategory } from '../../platform/authz/rule-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { expectUpload, newFile } from '../../platform/storage/arrange-upload.ts'
import { dropObject } from '../../platform/storage/uploads.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import type { Document } from '../qualification.tables.ts'
import { assertIsNotInUse, lockDocument } from './document.access.ts'
import { auditedDocument } from './document.rules.ts'
import { type Review, type ReviewStorage, resetReview, reviewDocument } from './review-document.ts'

export interface DocumentChanges extends Review {
  title?: string | undefined
  category?: DocumentCategory | undefined
  expiresAt?: Date | null | undefined
  roles?: Role[] | undefined
  /** The name of a new file that replaces the current one. */
  fileName?: string | undefined
}

/**
 * Changes a document: its fields, its file, or its review. With another expiry, category or file it becomes `pending` again,
 * whoever changes them: a review is of what was seen. The same request can review it anew. Implements interface §Documents.
 */
export async function updateDocument(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: DocumentChanges,
  storage: ReviewStorage,
): Promise<{ id: number; uploads: boolean }> {
  if (changes.fileName !== undefined) await assertTakesUploads(tx, actor, 1, 'member')
  const document = await lockDocument(tx, actor, id)
  const before = auditedDocument(document)
  const { category, fileName } = changes
  if (fileName !== undefined || (category !== undefined && category !== document.category)) {
    await assertIsNotInUse(tx, actor, document)
  }
  const changesProof = changeContent(document, changes)
  if (fileName !== undefined) replaceFile(tx, actor, document, fileName)
  if (changesProof || fileName !== undefined) resetReview(document)
  await reviewDocument(tx, actor, document, changes, storage)
  const after = auditedDocument(document)
  const kind = after.status === before.status || after.status === 'pending' ? 'changed' : after.status
  emit(tx, actor, { kind: `document.${kind}`, subject: { kind: 'document', id }, before, after })
  return { id, uploads: fileName !== undefined }
}

/** Writes the title, category, expiry and roles. Returns whether the category or the expiry changed. */
function changeContent(document: Document, { title, category, expiresAt, roles }: DocumentChanges): boolean {
  if (roles && roles.length > 0 && document.membershipId) throw qualificationErrors.rolesOfOrganization()
  const newCategory = category !== undefined && category !== document.category
  const newExpiry = expiresAt !== undefined && expiresAt?.getTime() !== document.expiresAt?.getTime()
  document.title = title ?? document.title
  document.category = category ?? document.category
  document.roles = roles ?? document.roles
  if (newExpiry) {
    document.expiresAt = expiresAt
    document.expiryNotifiedDays = null
  }
  return newCategory || newExpiry
}

function replaceFile(tx: Tx, actor: Actor, document: Document, fileName: string): void {
  const file = newFile(tx, actor, fileName, 'fileName')
  dropObject(tx, { storageKey: document.storageKey, createdAt: document.formOpenedAt })
  document.fileName = file.fileName
  document.contentType = file.contentType
  document.storageKey = file.storageKey
  document.uploadedBy = file.uploadedBy
  document.upload = 'awaited'
  document.sizeBytes = null
  document.formEndedAt = null
  document.formOpenedAt = tx.now
  expectUpload(tx, 'document', document)
}
