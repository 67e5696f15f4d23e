import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'

/** The tables whose rows stand for a file in object storage. */
export const fileTables = ['resource_file', 'document'] as const
export type FileTable = (typeof fileTables)[number]

/** Notes whether the bytes of a file came, once its upload is over. */
export const finalizeUpload = defineJob({
  name: 'storage.settle-upload',
  queue: 'upkeep',
  payload: z.object({ organizationId: z.int(), table: z.enum(fileTables), fileId: z.int() }),
})

/** Drops one stored object. */
export const dropStoredObject = defineJob({
  name: 'storage.drop-object',
  queue: 'upkeep',
  payload: z.object({ storageKey: z.string() }),
})

/**
 * Drops every stored object of an organization that is deleted. The payload names no `organizationId`, because owed
 * jobs that do go with their organization.
 */
export const dropStoredFolder = defineJob({
  name: 'storage.drop-folder',
  queue: 'upkeep',
  payload: z.object({ folder: z.int() }),
})
