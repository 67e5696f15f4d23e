import type { remindUnsigned } from '../../shared/dispatch/close-out.jobs.ts'
import { remindOfUnsigned } from '../../shared/dispatch/remind-unsigned.ts'
import { inBatches } from '../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'

/** Enqueues reminders of unsigned close-outs, one batch per transaction, until none is left. */
export const remindOfUnsignedCloseOuts: JobProcessor<typeof remindUnsigned> = async (_payload, tools) => {
  await inBatches(tools, remindOfUnsigned)
}
