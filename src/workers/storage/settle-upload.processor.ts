import type { JobProcessor } from '../../shared/jobs/job-tools.ts'
import type { settleUpload } from '../../shared/storage/storage.jobs.ts'

/** Looks once whether the bytes of a file came, so that no read has to ask the storage again. */
export const settleFileUpload: JobProcessor<typeof settleUpload> = async ({ organizationId, table, fileId }, tools) => {
  const { db } = tools.database
  const file = await db
    .selectFrom(table)
    .select('storage_key')
    .where('organization_id', '=', organizationId)
    .where('id', '=', fileId)
    .where('upload', '=', 'awaited')
    .executeTakeFirst()
  if (!file) return
  const upload = (await tools.storage.has(file.storage_key)) ? 'stored' : 'missing'
  await db
    .updateTable(table)
    .set({ upload })
    .where('organization_id', '=', organizationId)
    .where('id', '=', fileId)
    .execute()
}
