import type { JobProcessor } from '../../shared/jobs/job-tools.ts'
import type { settleUpload } from '../../shared/resources/resources.jobs.ts'

/** Looks once whether the bytes of a file came, so that no read has to ask the storage again. */
export const settleFileUpload: JobProcessor<typeof settleUpload> = async ({ organizationId, fileId }, tools) => {
  const { db } = tools.database
  const file = await db
    .selectFrom('resource_file')
    .select('storage_key')
    .where('organization_id', '=', organizationId)
    .where('id', '=', fileId)
    .where('upload', '=', 'awaited')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!file) return
  const upload = (await tools.storage.has(file.storage_key)) ? 'stored' : 'missing'
  await db
    .updateTable('resource_file')
    .set({ upload })
    .where('organization_id', '=', organizationId)
    .where('id', '=', fileId)
    .execute()
}
