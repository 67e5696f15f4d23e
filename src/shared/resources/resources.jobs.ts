import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'

/** Notes whether the bytes of a file came, once its upload is over. */
export const settleUpload = defineJob({
  name: 'resources.settle-upload',
  queue: 'upkeep',
  payload: z.object({ organizationId: z.int(), fileId: z.int() }),
})
