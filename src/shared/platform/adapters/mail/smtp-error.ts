import type { NodemailerError } from 'nodemailer'
import { MailRefused, MailUnavailable } from './mailer.port.ts'

const AUTHENTICATION_REQUIRED = 530

/**
 * Classifies an SMTP error: permanent only when the reply is about this recipient or message. A 5xx reply to the
 * sign-in or the sender address is about the configuration, and mails wait until it is fixed.
 *
 * Keeps codes only, since the server's text repeats addresses and content.
 */
export function mailError(error: unknown): MailRefused | MailUnavailable {
  const failure = error instanceof Error ? (error as NodemailerError) : new Error()
  return isFinal(failure) ? new MailRefused(reasonOf(failure)) : new MailUnavailable(reasonOf(failure))
}

function isFinal({ code, command, permanent, responseCode }: NodemailerError): boolean {
  if (code === 'EMESSAGE' && responseCode === undefined) return true
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false
  return permanent === true && command !== 'MAIL FROM' && responseCode !== AUTHENTICATION_REQUIRED
}

/** Returns `550 5.1.1` for a reply of the server, otherwise the connection's error: `ESOCKET ECONNREFUSED`. */
function reasonOf({ code, originalCode, response, responseCode }: NodemailerError): string {
  if (responseCode === undefined) return [code ?? 'unknown', originalCode].filter(Boolean).join(' ')
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?!\S)/.exec(response ?? '')
  return enhanced ? `${responseCode} ${enhanced[1]}` : String(responseCode)
}
