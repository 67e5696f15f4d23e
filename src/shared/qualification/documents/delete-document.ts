import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cause, emit } from '../../platform/events/emit.ts'
import { dropObject } from '../../platform/storage/uploads.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import type { Document } from '../qualification.tables.ts'
import {
  assertIsNotInUse,
  type FormerMember,
  findKeptProofs,
  lockDocument,
  lockDocumentsOf,
  lockKeptDocuments,
} from './document.access.ts'
import { auditedDocument, mayDelete } from './document.rules.ts'

/**
 * Deletes the row and the file of a document. A currency record that named it keeps its dates. Implements interface
 * §Documents.
 */
export async function deleteDocument(tx: Tx, actor: Actor, id: number): Promise<void> {
  const document = await lockDocument(tx, actor, id)
  if (!mayDelete(actor, document)) {
    throw qualificationErrors.documentVerified()
  }
  await assertIsNotInUse(tx, actor, document)
  remove(tx, actor, document)
}

/**
 * Deletes the rows and files of the documents of a member who leaves. Documents that the organization must keep by law stay
 * until the instant that `findKeptProofs` returns.
 */
export async function deleteDocumentsOf(tx: Tx, by: Cause, member: FormerMember): Promise<void> {
  const documents = await lockDocumentsOf(tx, member)
  const kept = await findKeptProofs(tx, member)
  for (const document of documents) {
    const until = kept.get(document.id)
    if (until) document.keptUntil = until
    else remove(tx, by, document)
  }
}

/**
 * Deletes at most `most` documents of former members that the organization no longer has to keep, with their files. Returns
 * how many.
 */
export async function deleteKeptDocuments(tx: Tx, most: number): Promise<number> {
  const documents = await lockKeptDocuments(tx, most)
  for (const document of documents) {
    remove(tx, { organizationId: document.organizationId, orgUserId: null, name: 'retention' }, document)
  }
  return documents.length
}

function remove(tx: Tx, by: Cause, document: Document): void {
  const before = auditedDocument(document)
  emit(tx, by, { kind: 'document.deleted', subject: { kind: 'document', id: document.id }, before })
  tx.em.remove(document)
  dropObject(tx, { storageKey: document.storageKey, createdAt: document.formOpenedAt })
}
