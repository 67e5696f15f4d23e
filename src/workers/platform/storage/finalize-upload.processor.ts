import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type { finalizeUpload } from '../../../shared/platform/storage/storage.jobs.ts'

/** Looks once whether the bytes of a file came, so that no read has to ask the storage again. */
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
  // What came by a form that had ended, where object storage took it all the same.
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
