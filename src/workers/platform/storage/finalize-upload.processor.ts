import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type { finalizeUpload } from '../../../shared/platform/storage/storage.jobs.ts'

/** Checks once whether the bytes of a file have arrived, so that no read has to query the storage. */
export const finalizeStoredUpload: JobProcessor<typeof finalizeUpload> = async (
  { organizationId, table, fileId },
  tools,
) => {
  const { db } = tools.database
  const file = await db
    .selectFrom(table)
    .select(['storage_key', 'upload'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', fileId)
    .executeTakeFirst()
  // Object storage can accept an upload whose form was ended; such an object is deleted.
  if (file?.upload === 'missing') await tools.storage.remove(file.storage_key)
  if (file?.upload !== 'awaited') return
  const upload = (await tools.storage.has(file.storage_key)) ? 'stored' : 'missing'
  await db
    .updateTable(table)
    .set({ upload })
    .where('organization_id', '=', organizationId)
    .where('id', '=', fileId)
    .where('upload', '=', 'awaited')
    .execute()
}
