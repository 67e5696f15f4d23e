import { renderMail } from '../shared/platform/adapters/mail/layout.ts'
import { MailRefused } from '../shared/platform/adapters/mail/mailer.port.ts'
import { done, never } from '../shared/platform/deliveries/call-result.ts'
import { deliver } from '../shared/platform/deliveries/deliver.ts'
import type { JobRun, JobTools } from '../shared/platform/jobs/job-tools.ts'

/** The content of a mail; the layout renders its text and HTML parts. */
export interface MailMessage {
  to: { name: string; address: string }
  subject: string
  paragraphs: string[]
  action?: { label: string; url: string }
  /** Why the reader gets this mail. */
  footer: string
}

/**
 * Sends the one mail of a job. Every attempt has the same Message-ID, derived from the delivery's key.
 * @throws Permanent when the server rejects the address permanently
 */
export function sendMail(tools: JobTools, run: JobRun, letter: MailMessage): Promise<void> {
  const { to, subject, paragraphs, action, footer } = letter
  const host = new URL(tools.config.PUBLIC_URL).hostname
  const parts = renderMail({ title: subject, paragraphs, ...(action && { action }), footer })
  return deliver(tools, run, {
    kind: 'mail',
    async call({ key }, signal) {
      try {
        await tools.mailer.send({ to, subject, ...parts, messageId: `<${key}@${host}>` }, signal)
        return done()
      } catch (error) {
        if (error instanceof MailRefused) return never(error.reason)
        throw error
      }
    },
  })
}
