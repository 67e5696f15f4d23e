import { queueAgain } from '../../../shared/communication/webhooks/finish-attempt.ts'
import {
  findDisabled,
  findFormerAdmin,
  findUrlsMadeBy,
} from '../../../shared/communication/webhooks/recipients.queries.ts'
import { payloadOf, storePayload } from '../../../shared/communication/webhooks/record-event.ts'
import { resumeDeliveries } from '../../../shared/communication/webhooks/resume-deliveries.ts'
import { webhookData } from '../../../shared/communication/webhooks/webhook-data.rules.ts'
import { findUnrendered } from '../../../shared/communication/webhooks/webhook-event.queries.ts'
import type {
  mailWebhookDisabled,
  mailWebhooksLeft,
  renderWebhook,
  resumeWebhooks,
  retryWebhook,
} from '../../../shared/communication/webhooks/webhooks.jobs.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import { sendMail } from '../../platform/send-mail.ts'

/** Returns the present record of a subject (`<kind>:<id>`) as an admin reads it in the API. */
type ReadSubject = (
  tools: Pick<JobTools, 'database' | 'clock'>,
  organizationId: number,
  subject: string,
) => Promise<unknown>

/** Renders the payload of an event, once for all endpoints, attempts and replays, and starts its deliveries. */
export const renderWebhookProcessor =
  (readSubject: ReadSubject): JobProcessor<typeof renderWebhook> =>
  async (payload, tools) => {
    const event = await findUnrendered(tools.database.db, payload)
    if (!event) return
    const record = await readSubject(tools, payload.organizationId, event.subject)
    const text = payloadOf(event, webhookData(record))
    await tools.transaction((tx) => storePayload(tx, payload, text))
  }

/** Enqueues the next attempt of a delivery whose delay is over. */
export const retryWebhookProcessor: JobProcessor<typeof retryWebhook> = async (payload, tools) => {
  await tools.transaction((tx) => queueAgain(tx, payload))
}

/**
 * Enqueues the rendering of late events again. Resumes deliveries whose job no longer exists, or was given up while the
 * database or the queue was not available.
 */
export const resumeWebhooksProcessor: JobProcessor<typeof resumeWebhooks> = async (_payload, tools) => {
  await tools.transaction((tx) => resumeDeliveries(tx))
}

/** Mails an admin that the service has disabled a webhook endpoint. Sends nothing when it is enabled again. */
export const mailWebhookDisabledProcessor: JobProcessor<typeof mailWebhookDisabled> = async (payload, tools, run) => {
  const found = await findDisabled(tools.database.db, payload)
  if (!found) return
  const { name, address, organization, url } = found
  const { host } = new URL(url)
  await sendMail(tools, run, {
    to: { name, address },
    subject: `The webhook to ${host} was turned off`,
    paragraphs: [
      `Hello ${name},`,
      `${host} has accepted no event of ${organization} for five days, so the service no longer sends it events.`,
      'When it works again, turn the webhook on and replay the events that it missed; they are kept for 30 days.',
    ],
    footer: `You get this mail as an admin of ${organization}.`,
    organizationId: payload.organizationId,
    group: 'webhooks',
    about: { orgUserId: payload.orgUserId, matter: 'webhooks' },
  })
}

/**
 * Mails an owner which webhook endpoints a former admin created, after that person lost the role or left. Sends nothing
 * when there are no such endpoints any more, or the person is an admin again.
 */
export const mailWebhooksLeftProcessor: JobProcessor<typeof mailWebhooksLeft> = async (payload, tools, run) => {
  const [urls, found] = [
    await findUrlsMadeBy(tools.database.db, payload),
    await findFormerAdmin(tools.database.db, payload),
  ]
  if (!found || urls.length === 0) return
  const { name, address, organization, formerAdmin } = found
  await sendMail(tools, run, {
    to: { name, address },
    subject: `Webhooks of ${organization} that ${formerAdmin} created`,
    paragraphs: [
      `Hello ${name},`,
      `${formerAdmin} is no longer an admin of ${organization}. The webhooks that they created still send events to ` +
        `${urls.map((url) => new URL(url).host).join(', ')}.`,
      'Delete those that you do not know, and give the others a new secret.',
    ],
    footer: `You get this mail as an owner of ${organization}.`,
    organizationId: payload.organizationId,
    group: 'security',
    about: { orgUserId: payload.orgUserId, matter: 'webhooks' },
  })
}
