import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { finalizeUpload } from '../../platform/storage/storage.jobs.ts'
import { uploadFinalizedAt } from '../../platform/storage/uploads.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import type { Document } from '../qualification.tables.ts'
import { type DocumentStatus, mayReview } from './document.rules.ts'

/** The review of a document by desk staff. */
export interface Review {
  status?: DocumentStatus | undefined
  /** The notes that its member reads. */
  notes?: string | null | undefined
}

/** The facts about the storage that a review needs. */
export interface ReviewStorage {
  /** Whether the storage refuses an upload as soon as its form has ended. */
  formsEndAtOnce: boolean
  /** Returns whether the storage has an object. */
  has(key: string): Promise<boolean>
}

/**
 * Writes the review of a document. Verifying a document ends an open upload form, so that the file can no longer change.
 * Implements interface §Documents.
 */
export async function reviewDocument(
  tx: Tx,
  actor: Actor,
  document: Document,
  { status, notes }: Review,
  storage: ReviewStorage,
): Promise<void> {
  if (status === undefined && notes === undefined) return
  if (!mayReview(actor, { membershipId: document.membershipId ?? null })) {
    throw qualificationErrors.reviewForDesk()
  }
  if (notes !== undefined) document.notes = notes
  if (status === undefined) return
  if (status === 'verified') await assertHasFile(document, storage)
  if (status === 'verified' && document.upload === 'awaited') endForm(tx, document, storage.formsEndAtOnce)
  const verified = status === 'verified'
  if (verified && document.status === 'verified') return
  document.status = status
  document.verifiedBy = verified ? actor.orgUserId : null
  document.verifiedAt = verified ? tx.now : null
}

/** Makes a document `pending` again and clears its review. */
export function resetReview(document: Document): void {
  document.status = 'pending'
  document.notes = null
  document.verifiedBy = null
  document.verifiedAt = null
}

async function assertHasFile({ upload, storageKey }: Document, storage: ReviewStorage): Promise<void> {
  const isThere = upload === 'stored' || (upload === 'awaited' && (await storage.has(storageKey)))
  if (!isThere) throw qualificationErrors.documentWithoutFile()
}

function endForm(tx: Tx, document: Document, formsEndAtOnce: boolean): void {
  if (!formsEndAtOnce && uploadFinalizedAt(document.formOpenedAt) > tx.now) {
    throw qualificationErrors.uploadOpen()
  }
  document.formEndedAt ??= tx.now
  tx.enqueue(finalizeUpload, { organizationId: document.organizationId, table: 'document', fileId: document.id })
}
