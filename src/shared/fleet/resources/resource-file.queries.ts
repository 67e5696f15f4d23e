import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import type { FileVisibility } from './resource.rules.ts'

function selectFiles(db: Db, organizationId: number) {
  return db
    .selectFrom('resource_file')
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.organization_id', '=', 'resource_file.organization_id')
        .onRef('membership.id', '=', 'resource_file.uploaded_by'),
    )
    .selectAll('resource_file')
    .select('membership.search_name as uploader')
    .where('resource_file.organization_id', '=', organizationId)
    .where('resource_file.deleted_at', 'is', null)
    .orderBy('resource_file.id')
}

export type ResourceFileRow = Awaited<ReturnType<ReturnType<typeof selectFiles>['execute']>>[number]

/**
 * Returns the files of a resource itself that have one of the visibilities, oldest first. Leaves out files of its
 * squawks and of completed maintenance.
 * Implements interface §Resources.
 */
export function listFiles(db: Db, organizationId: number, resourceId: number, visibilities: readonly FileVisibility[]) {
  return pageable(db, selectOwnFiles(db, organizationId, resourceId, visibilities))
}

/** Returns one of the files that `listFiles` lists. */
export async function findFile(
  db: Db,
  organizationId: number,
  { id, fileId }: { id: number; fileId: number },
  visibilities: readonly FileVisibility[],
): Promise<ResourceFileRow> {
  const row = await selectOwnFiles(db, organizationId, id, visibilities)
    .where('resource_file.id', '=', fileId)
    .executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

function selectOwnFiles(db: Db, organizationId: number, resourceId: number, visibilities: readonly FileVisibility[]) {
  return selectFiles(db, organizationId)
    .where('resource_file.resource_id', '=', resourceId)
    .where('resource_file.squawk_id', 'is', null)
    .where('resource_file.completion_id', 'is', null)
    .where('resource_file.visibility', 'in', visibilities)
}

/** Returns the files of squawks, or those of completed maintenance, oldest first. */
export function findFilesOf(
  db: Db,
  organizationId: number,
  subject: 'squawk_id' | 'completion_id',
  ids: readonly number[],
): Promise<ResourceFileRow[]> {
  return selectFiles(db, organizationId)
    .where(`resource_file.${subject}`, '=', sql<number>`any(${ids}::int[])`)
    .execute()
}

/** Returns files by id, in the order of their creation. */
export function findFiles(db: Db, organizationId: number, ids: number[]): Promise<ResourceFileRow[]> {
  return selectFiles(db, organizationId).where('resource_file.id', 'in', ids).execute()
}

/**
 * Returns the stored objects of a resource's files, those of its squawks and completed maintenance included. Leaves out
 * deleted files.
 */
export function findStoredObjects(db: Db, organizationId: number, resourceId: number) {
  return db
    .selectFrom('resource_file')
    .select(['storage_key as storageKey', 'created_at as createdAt'])
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resourceId)
    .where('deleted_at', 'is', null)
    .execute()
}
