import type { Db } from '../../platform/db/database.ts'

/**
 * Returns the documents that the student of an enrollment allows in the packet now, by title. Proofs of identity are never among them. Implements
 * interface §28.3.
 */
export function listPacketDocuments(db: Db, organizationId: number, enrollmentId: number, now: Date) {
  return db
    .selectFrom('packet_document as p')
    .innerJoin('document as d', (join) =>
      join.onRef('d.organization_id', '=', 'p.organization_id').onRef('d.id', '=', 'p.document_id'),
    )
    .select(['p.document_id', 'p.until', 'd.title', 'd.content_type', 'd.storage_key', 'd.size_bytes'])
    .where('p.organization_id', '=', organizationId)
    .where('p.enrollment_id', '=', enrollmentId)
    .where('p.until', '>', now)
    .whereRef('d.membership_id', '=', 'p.membership_id')
    .where('d.category', '<>', 'identification')
    .where('d.upload', '<>', 'missing')
    .orderBy('d.title')
    .orderBy('p.document_id')
    .execute()
}

export type PacketDocumentRow = Awaited<ReturnType<typeof listPacketDocuments>>[number]

/** Returns which of these are documents of a member, with their categories. */
export function findOwnDocuments(db: Db, organizationId: number, orgUserId: number, ids: readonly number[]) {
  return db
    .selectFrom('document')
    .select(['id', 'category'])
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where('upload', '<>', 'missing')
    .where('id', 'in', [...ids, 0])
    .execute()
}
