import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** What owners are told of an export. */
export const exportNews = ['started', 'ready', 'downloaded'] as const

/** Mails an owner that all records of the organization were exported, or that somebody downloads them. */
export const mailExport = defineJob({
  name: 'exports.mail-export',
  queue: 'email',
  payload: z.object({
    organizationId: z.int(),
    orgUserId: z.int(),
    what: z.enum(exportNews),
    /** The owner who did it. */
    by: z.int(),
  }),
})
