import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'

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
