import { z } from 'zod'
import { defineJob } from '../contracts/define-job.ts'

/** The tables whose rows represent stored files. */
export const fileTables = ['resource_file', 'document'] as const
export type FileTable = (typeof fileTables)[number]

/** Records whether the file of a row arrived, after its upload has expired. */
export const finalizeUpload = defineJob({
  name: 'storage.finalize-upload',
  queue: 'upkeep',
  payload: z.object({
    organizationId: z.int(),
    table: z.enum(fileTables),
    fileId: z.int(),
    /** The key of the awaited object. The job skips a row whose file was replaced since. */
    storageKey: z.string().optional(),
  }),
})

/** Deletes one stored object. */
export const dropStoredObject = defineJob({
  name: 'storage.drop-stored-object',
  queue: 'upkeep',
  payload: z.object({ storageKey: z.string() }),
})

/**
 * Deletes every stored object of a deleted organization. The payload has no `organizationId`, because deleting an
 * organization deletes the enqueued jobs that have its id.
 */
export const dropStoredFolder = defineJob({
  name: 'storage.drop-stored-folder',
  queue: 'upkeep',
  payload: z.object({ folder: z.int() }),
})
