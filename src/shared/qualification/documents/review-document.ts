import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { finalizeUpload } from '../../platform/storage/storage.jobs.ts'
import { uploadFinalizedAt } from '../../platform/storage/uploads.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import type { Document } from './document.entity.ts'
import { type DocumentStatus, mayReview } from './document.rules.ts'

/** What desk staff found of a document. */
export interface Review {
  status?: DocumentStatus | undefined
  /** What its member reads about it. */
  note?: string | null | undefined
}

/**
 * Writes what desk staff found of a document. What is verified cannot change any more: a form whose file has not arrived
 * ends.
 * @param formsEndAtOnce whether the storage refuses an upload whose form has ended
 * @throws Forbidden when the caller is no desk staff, or the document is their own.
 * @throws Conflict UPLOAD_OPEN when the storage takes the file of its form until the form has expired.
 */
export function reviewDocument(
  tx: Tx,
  actor: Actor,
  document: Document,
  { status, note }: Review,
  formsEndAtOnce: boolean,
): void {
  if (status === undefined && note === undefined) return
  if (!mayReview(actor, { membershipId: document.membershipId ?? null })) {
    throw qualificationErrors.reviewForDesk()
  }
  if (note !== undefined) document.note = note
  if (status === undefined) return
  if (status === 'verified' && document.upload === 'awaited') endForm(tx, document, formsEndAtOnce)
  const verified = status === 'verified'
  if (verified && document.status === 'verified') return
  document.status = status
  document.verifiedBy = verified ? actor.orgUserId : null
  document.verifiedAt = verified ? tx.now : null
}

/** Makes a document `pending` again, without what was found of it. */
export function resetReview(document: Document): void {
  document.status = 'pending'
  document.note = null
  document.verifiedBy = null
  document.verifiedAt = null
}

function endForm(tx: Tx, document: Document, formsEndAtOnce: boolean): void {
  if (!formsEndAtOnce && uploadFinalizedAt(document.formOpenedAt) > tx.now) {
    throw qualificationErrors.uploadOpen()
  }
  document.formEndedAt ??= tx.now
  tx.enqueue(finalizeUpload, { organizationId: document.organizationId, table: 'document', fileId: document.id })
}
