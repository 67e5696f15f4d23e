import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** The events of an export about which owners are mailed. */
export const exportNews = ['started', 'ready', 'downloaded'] as const

/** Mails an owner that an export of all records of the organization was started, is ready, or was downloaded. */
export const mailExport = defineJob({
  name: 'exports.mail-export',
  queue: 'email',
  payload: z.object({
    organizationId: z.int(),
    orgUserId: z.int(),
    what: z.enum(exportNews),
    /** The owner who started or downloaded the export. */
    by: z.int(),
  }),
})
