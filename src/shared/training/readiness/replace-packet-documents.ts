import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { lockEnrollment } from '../enrollments/enrollment.access.ts'
import { trainingErrors } from '../training.errors.ts'
import { findOwnDocuments } from './packet-documents.queries.ts'

/** A document that may be appended to the packet, until an instant. */
export interface SharedDocument {
  documentId: number
  until: Date
}

const DAY_MS = 86_400_000
/** The most days for which a document is allowed. */
const MOST_DAYS = 30

/**
 * Replaces the documents that the student allows in the packet for the practical test. Only the student does: each document for at most 30
 * days, and no proof of identity. Implements interface §28.3.
 */
export async function replacePacketDocuments(
  tx: Tx,
  actor: Actor,
  enrollmentId: number,
  documents: readonly SharedDocument[],
): Promise<{ id: number }> {
  const { organizationId, orgUserId } = actor
  const enrollment = await lockEnrollment(tx, actor, enrollmentId)
  if (enrollment.membershipId !== orgUserId) throw trainingErrors.notYourTraining()
  const ids = documents.map(({ documentId }) => documentId)
  const own = new Map((await findOwnDocuments(tx.db, organizationId, orgUserId, ids)).map((one) => [one.id, one]))
  for (const [index, { documentId, until }] of documents.entries()) {
    const document = own.get(documentId)
    if (!document) throw trainingErrors.documentNotYours({ index })
    if (document.category === 'identification') throw trainingErrors.documentNeverShared({ index })
    const ahead = until.getTime() - tx.now.getTime()
    if (ahead <= 0 || ahead > MOST_DAYS * DAY_MS) throw trainingErrors.sharedTooLong({ index })
  }
  await tx.db
    .deleteFrom('packet_document')
    .where('organization_id', '=', organizationId)
    .where('enrollment_id', '=', enrollmentId)
    .execute()
  const rows = [...new Map(documents.map((one) => [one.documentId, one])).values()].map(({ documentId, until }) => ({
    organization_id: organizationId,
    enrollment_id: enrollmentId,
    document_id: documentId,
    membership_id: orgUserId,
    until,
  }))
  if (rows.length > 0) await tx.db.insertInto('packet_document').values(rows).execute()
  emit(tx, actor, {
    kind: 'enrollment.packet_documents_replaced',
    subject: { kind: 'enrollment', id: enrollmentId },
    after: { documentIds: rows.map((row) => row.document_id) },
  })
  return { id: enrollmentId }
}
