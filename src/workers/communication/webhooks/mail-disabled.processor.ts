import { findDisabled } from '../../../shared/communication/webhooks/recipients.queries.ts'
import type { webhookDisabledMail } from '../../../shared/communication/webhooks/webhooks.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { sendMail } from '../../send-mail.ts'

/** Mails an admin that the service has disabled an endpoint, unless it is in use again. */
export const mailWebhookDisabled: JobProcessor<typeof webhookDisabledMail> = async (payload, tools, run) => {
  const found = await findDisabled(tools.database.db, payload)
  if (!found) return
  const { name, address, organization, url } = found
  const { host } = new URL(url)
  await sendMail(tools, run, {
    to: { name, address },
    subject: `The webhook to ${host} was switched off`,
    paragraphs: [
      `Hello ${name},`,
      `${host} has taken no event of ${organization} for five days, so the service no longer sends it any.`,
      'When it works again, switch the webhook on and replay the events since; they are kept for 30 days.',
    ],
    footer: `You get this mail as an admin of ${organization}.`,
  })
}
