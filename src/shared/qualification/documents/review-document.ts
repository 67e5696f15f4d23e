import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { finalizeUpload } from '../../platform/storage/storage.jobs.ts'
import { uploadFinalizedAt } from '../../platform/storage/uploads.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import type { Document } from './document.entity.ts'
import { type DocumentStatus, mayReview } from './document.rules.ts'

/** The review of a document by desk staff. */
export interface Review {
  status?: DocumentStatus | undefined
  /** The note that its member reads. */
  note?: string | null | undefined
}

/**
 * Writes the review of a document. The file of a verified document cannot change: an open upload form ends. Implements
 * interface §Documents.
 * @param formsEndAtOnce whether the storage refuses an upload whose form has ended
 * @throws Forbidden when the caller is not desk staff, or the document is their own.
 * @throws Conflict UPLOAD_OPEN when the storage accepts the file of the form until the form expires.
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

/** Makes a document `pending` again and clears its review. */
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
