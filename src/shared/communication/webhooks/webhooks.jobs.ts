import { z } from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/contracts/define-job.ts'

/** Renders the payload of an event. */
export const renderWebhook = defineJob({
  name: 'webhooks.render-webhook',
  queue: 'webhooks',
  payload: z.object({ organizationId: z.int(), eventId: z.uuid() }),
})

/** Makes one attempt of a delivery. A failed attempt enqueues `retryWebhook`. */
export const sendWebhook = defineJob({
  name: 'webhooks.send-webhook',
  queue: 'webhooks',
  payload: z.object({ organizationId: z.int(), deliveryId: z.int(), attempt: z.int() }),
})

/** Queues a delivery again, after the pause that follows a failed attempt or a reached limit. */
export const retryWebhook = defineJob({
  name: 'webhooks.retry-webhook',
  queue: 'webhooks',
  payload: z.object({ organizationId: z.int(), deliveryId: z.int(), attempt: z.int() }),
})

/** Mails an admin that an endpoint was disabled. */
export const mailWebhookDisabled = defineJob({
  name: 'webhooks.mail-webhook-disabled',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), endpointId: z.int(), orgUserId: z.int() }),
})

/** Mails an owner the list of the endpoints that a former member or former admin created. */
export const mailWebhooksLeft = defineJob({
  name: 'webhooks.mail-webhooks-left',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), madeBy: z.int(), orgUserId: z.int() }),
})

/** Resumes rendering and deliveries whose job was lost or given up. */
export const resumeWebhooks = defineScheduledJob({
  name: 'webhooks.resume-webhooks',
  queue: 'webhooks',
  schedule: '*/5 * * * *',
})
