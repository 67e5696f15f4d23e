import { renderMail } from '../shared/adapters/mail/layout.ts'
import { MailRefused } from '../shared/adapters/mail/mailer.port.ts'
import type { JobRun, JobTools } from '../shared/jobs/job-tools.ts'
import { Permanent } from '../shared/kernel/permanent.ts'

/** A mail in our words; the layout makes its text and HTML parts. */
export interface Letter {
  to: { name: string; address: string }
  subject: string
  paragraphs: string[]
  action?: { label: string; url: string }
  /** Why the reader gets this mail. */
  footer: string
}

/**
 * Sends one mail for a job. A repeated run sends it under the same Message-ID.
 * @throws Permanent when the server refuses the address for good.
 */
export async function sendMail(tools: JobTools, run: JobRun, letter: Letter): Promise<void> {
  const { subject, paragraphs, action, footer } = letter
  const host = new URL(tools.config.PUBLIC_URL).hostname
  try {
    await tools.mailer.send({
      to: letter.to,
      subject,
      ...renderMail({ title: subject, paragraphs, ...(action && { action }), footer }),
      messageId: `<${run.id}@${host}>`,
    })
  } catch (error) {
    if (error instanceof MailRefused) throw new Permanent(`mail refused: ${error.reason}`)
    throw error
  }
}
