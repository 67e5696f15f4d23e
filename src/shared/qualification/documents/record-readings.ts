import type { Actor } from '../../platform/authz/actor.ts'
import type { DocumentCategory } from '../../platform/authz/rule-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { findDocumentsReadSince } from './document.queries.ts'
import { auditedDocument, type DocumentStatus } from './document.rules.ts'

const DAY_MS = 86_400_000

interface ReadDocument {
  id: number
  membershipId: number | null
  category: DocumentCategory
  status: DocumentStatus
}

/**
 * Records in the event log that a member read documents of others. A document that the member has read in the last 24 hours
 * is not recorded again. Implements interface §Documents.
 */
export async function recordDocumentReadings(tx: Tx, reader: Actor, documents: readonly ReadDocument[]): Promise<void> {
  const ids = documents.map(({ id }) => id)
  const known = await findDocumentsReadSince(tx.db, reader, ids, new Date(tx.now.getTime() - DAY_MS))
  for (const document of documents) {
    if (known.has(document.id)) continue
    const subject = { kind: 'document', id: document.id } as const
    emit(tx, reader, { kind: 'document.read', subject, after: auditedDocument(document) })
  }
}
