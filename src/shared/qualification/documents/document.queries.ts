import { sql } from 'kysely'
import { rolesOf } from '../../platform/authz/roles.ts'
import type { DocumentCategory } from '../../platform/authz/rule-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { oneOf, oneOfWords } from '../../platform/db/read-rows.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { type DocumentStatus, type Reader, readsAll } from './document.rules.ts'

/** The filter of a list of documents, among those that its reader may see. */
export interface DocumentFilter {
  orgUserIds?: readonly number[] | undefined
  categories?: readonly DocumentCategory[] | undefined
  statuses?: readonly DocumentStatus[] | undefined
}

function selectDocuments(db: Db, reader: Reader & { organizationId: number }) {
  return db
    .selectFrom('document as d')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'd.organization_id').onRef('m.id', '=', 'd.uploaded_by'),
    )
    .leftJoin('membership as vm', (join) =>
      join.onRef('vm.organization_id', '=', 'd.organization_id').onRef('vm.id', '=', 'd.verified_by'),
    )
    .selectAll('d')
    .select(['m.search_name as uploader', 'vm.search_name as verifier'])
    .where('d.organization_id', '=', reader.organizationId)
    .$if(!readsAll(reader), (query) =>
      query.where((eb) =>
        eb.or([
          eb('d.membership_id', '=', reader.orgUserId),
          sql<boolean>`d.membership_id is null and (d.roles = '[]' or d.roles ?| ${rolesOf(reader.roles)}::text[])`,
        ]),
      ),
    )
    .orderBy('d.id', 'desc')
}

export type DocumentRow = Awaited<ReturnType<ReturnType<typeof selectDocuments>['execute']>>[number]

export const documentSortKeys: SortKeys = {
  id: byValue('d.id'),
  title: byText('d.title'),
  category: byText('d.category'),
  orgUserId: byValue('d.membership_id'),
  expiresAt: byValue('d.expires_at'),
  fileName: byText('d.file_name'),
  contentType: byText('d.content_type'),
  status: byText('d.status'),
  notes: byText('d.notes'),
  verifiedAt: byValue('d.verified_at'),
  'verifiedBy.orgUserId': byValue('d.verified_by'),
  'verifiedBy.name': byText('vm.search_name'),
  'uploadedBy.orgUserId': byValue('d.uploaded_by'),
  'uploadedBy.name': byText('m.search_name'),
  createdAt: byValue('d.created_at'),
  updatedAt: byValue('d.updated_at'),
}

/** Returns the documents that the reader may see, newest first. */
export function listDocuments(
  db: Db,
  reader: Reader & { organizationId: number },
  { orgUserIds, categories, statuses }: DocumentFilter,
) {
  return pageable(
    db,
    selectDocuments(db, reader)
      .$if(orgUserIds !== undefined, (query) => query.where(oneOf(sql`d.membership_id`, orgUserIds ?? [])))
      .$if(categories !== undefined, (query) => query.where(oneOfWords(sql`d.category`, categories ?? [])))
      .$if(statuses !== undefined, (query) => query.where(oneOfWords(sql`d.status`, statuses ?? []))),
    documentSortKeys,
  )
}

/** Returns a document that the member has uploaded, also when the member may not see it later. */
export async function findUploaded(
  db: Db,
  { organizationId, orgUserId, roles }: Reader & { organizationId: number },
  id: number,
): Promise<DocumentRow> {
  const reader = { organizationId, orgUserId, roles: { ...roles, dispatcher: true } }
  const row = await selectDocuments(db, reader)
    .where('d.id', '=', id)
    .where('d.uploaded_by', '=', orgUserId)
    .executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/** Returns one document that the reader may see. */
export async function findDocument(
  db: Db,
  reader: Reader & { organizationId: number },
  id: number,
): Promise<DocumentRow> {
  const row = await selectDocuments(db, reader).where('d.id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/** Returns a document with the fields for the notification of its expiry; undefined when it is deleted. */
export function findExpiringDocument(db: Db, organizationId: number, id: number) {
  return db
    .selectFrom('document as d')
    .innerJoin('organization as o', 'o.id', 'd.organization_id')
    .select([
      'd.id',
      'd.title',
      'd.membership_id',
      'd.expires_at',
      'd.expiry_notified_days',
      'o.time_zone_name as zone',
    ])
    .where('d.organization_id', '=', organizationId)
    .where('d.id', '=', id)
    .executeTakeFirst()
}

/** Returns the ids of the documents among these that a member has read after an instant, from the event log. */
export async function findDocumentsReadSince(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  ids: readonly number[],
  since: Date,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('event')
    .select('subject_id')
    .where('organization_id', '=', organizationId)
    .where('subject_kind', '=', 'document')
    .where('subject_id', 'in', ids)
    .where('kind', '=', 'document.read')
    .where('membership_id', '=', orgUserId)
    .where('at', '>', since)
    .execute()
  return new Set(rows.map((row) => row.subject_id))
}
