import { randomUUID } from 'node:crypto'
import { renderMail } from '../shared/platform/adapters/mail/layout.ts'
import { createSmtpMailer } from '../shared/platform/adapters/mail/smtp.ts'
import { required } from '../shared/platform/config/config.ts'
import { readSettings, say } from './with-database.ts'

const WITHIN_MS = 20_000

/**
 * `flightline mail test`: sends one mail through `SMTP_URL`, and prints the result.
 * @throws Error when the server does not accept the mail
 */
export async function sendTestMail(address: string): Promise<void> {
  const config = readSettings()
  const url = required(config, 'SMTP_URL')
  const mailer = createSmtpMailer({ url, from: config.MAIL_FROM })
  const parts = renderMail({
    title: 'A test of Flightline',
    paragraphs: ['The command “flightline mail test” sent this mail. Sending mail works.'],
    footer: `It came from the service at ${config.PUBLIC_URL}.`,
  })
  const messageId = `<${randomUUID()}@${new URL(config.PUBLIC_URL).hostname}>`
  try {
    const to = { name: '', address }
    await mailer.send({ to, subject: 'A test of Flightline', ...parts, messageId }, AbortSignal.timeout(WITHIN_MS))
    say(`${new URL(url).host} took the mail to ${address}, sent as ${config.MAIL_FROM}. Look into the mailbox.`)
  } catch (error) {
    throw new Error(`${new URL(url).host} did not take the mail: ${(error as Error).message}`)
  } finally {
    await mailer.close()
  }
}
