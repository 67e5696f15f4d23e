import { queueAgain } from '../../../shared/communication/webhooks/finish-attempt.ts'
import { resumeDeliveries } from '../../../shared/communication/webhooks/resume-deliveries.ts'
import type { resumeWebhooks, retryWebhook } from '../../../shared/communication/webhooks/webhooks.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/** Queues a delivery whose pause is over. */
export const queueWebhookAgain: JobProcessor<typeof retryWebhook> = async (payload, tools) => {
  await tools.transaction((tx) => queueAgain(tx, payload))
}

/** Starts deliveries whose job was lost or given up. */
export const resumeLostWebhooks: JobProcessor<typeof resumeWebhooks> = async (_payload, tools) => {
  await tools.transaction((tx) => resumeDeliveries(tx))
}
