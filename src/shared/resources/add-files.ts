import { contentTypeOf, newStorageKey } from '../adapters/storage/file-types.ts'
import type { Actor } from '../authz/actor.ts'
import type { Tx } from '../db/transaction.ts'
import { Forbidden, Invalid } from '../kernel/errors.ts'
import { uploadSettledAt } from '../storage/uploads.ts'
import { lockResource } from './find-for-action.ts'
import { ResourceFile } from './resource-file.entity.ts'
import { defaultVisibility, type FileCategory, type FileVisibility } from './resource-file.rules.ts'
import { settleUpload } from './resources.jobs.ts'

export interface NewFiles {
  category: FileCategory
  visibility?: FileVisibility | undefined
  label?: string | null | undefined
  fileNames: string[]
}

/**
 * Makes the rows of files that are about to be uploaded, in the order of their names.
 * @throws Forbidden in a demo organization
 * @throws NotFound
 * @throws Invalid for a kind of file that is not taken, naming it
 */
export async function addFiles(tx: Tx, actor: Actor, resourceId: number, input: NewFiles): Promise<{ ids: number[] }> {
  if (actor.organization.demo) throw new Forbidden('Uploads are off in a demo organization.')
  await lockResource(tx, actor, resourceId)
  const files = input.fileNames.map((fileName, index) => {
    const contentType = contentTypeOf(fileName)
    if (!contentType) throw new Invalid(`fileNames.${index}: must be a jpg, jpeg, png, heic, heif or pdf file`)
    return tx.em.create(ResourceFile, {
      organizationId: actor.organizationId,
      resourceId,
      category: input.category,
      visibility: input.visibility ?? defaultVisibility(input.category),
      label: input.label ?? null,
      fileName,
      contentType,
      storageKey: newStorageKey(actor.organizationId, fileName),
      uploadedBy: actor.orgUserId,
      createdAt: tx.now,
    })
  })
  await tx.em.flush()
  for (const { id: fileId, organizationId } of files) {
    tx.enqueue(settleUpload, { organizationId, fileId }, { availableAt: uploadSettledAt(tx.now) })
  }
  return { ids: files.map((file) => file.id) }
}
