import { assertTakesUploads } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { fileKeepers } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { expectUpload, newFile } from '../../platform/storage/arrange-upload.ts'
import { lockResource } from './resource.access.ts'
import { defaultVisibility, type FileCategory, type FileVisibility } from './resource.rules.ts'

export interface NewFiles {
  category: FileCategory
  visibility?: FileVisibility | undefined
  label?: string | null | undefined
  expiresAt?: Date | null | undefined
  fileNames: string[]
}

/**
 * Inserts a row for each file that will be uploaded for a resource. Returns the ids in the order of `fileNames`.
 * Implements interface §Resources.
 */
export async function addFiles(tx: Tx, actor: Actor, resourceId: number, input: NewFiles): Promise<{ ids: number[] }> {
  await assertTakesUploads(tx, actor, input.fileNames.length, fileKeepers)
  await lockResource(tx, actor, resourceId)
  return insertFiles(tx, actor, resourceId, input)
}

/**
 * Inserts a row for each file that will be uploaded: of an aircraft itself, of one of its squawks, or of completed
 * maintenance. `field` is the path of the file names in the body. The caller has called `assertTakesUploads`.
 */
export async function insertFiles(
  tx: Tx,
  actor: Actor,
  resourceId: number,
  input: NewFiles & { squawkId?: number; completionId?: number },
  field = 'fileNames',
): Promise<{ ids: number[] }> {
  const { organizationId } = actor
  const { category, visibility = defaultVisibility(category), label = null } = input
  if (input.fileNames.length === 0) return { ids: [] }
  const rows = input.fileNames.map((fileName, index) => {
    const file = newFile(tx, actor, fileName, `${field}.${index}`)
    return {
      organization_id: organizationId,
      file_name: file.fileName,
      content_type: file.contentType,
      storage_key: file.storageKey,
      uploaded_by: file.uploadedBy,
      created_at: file.createdAt,
      resource_id: resourceId,
      squawk_id: input.squawkId ?? null,
      completion_id: input.completionId ?? null,
      category,
      visibility,
      label,
      expires_at: input.expiresAt ?? null,
    }
  })
  const files = await tx.db.insertInto('resource_file').values(rows).returning('id').execute()
  for (const { id } of files) expectUpload(tx, 'resource_file', { organizationId, id })
  return { ids: files.map((file) => file.id) }
}
