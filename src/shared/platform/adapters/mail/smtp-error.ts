import type { NodemailerError } from 'nodemailer'
import { MailRefused, MailUnavailable } from './mailer.port.ts'

const AUTHENTICATION_REQUIRED = 530

/**
 * Sorts a failed hand-over: refused for good only where the answer is about this recipient or this message. A 5xx to
 * our sign-in or to our sender address is about our settings, and every mail waits until they are put right.
 *
 * What the server said is dropped, since it repeats addresses and content: only codes are kept.
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

/** `550 5.1.1` when the server answered, otherwise what went wrong on the way: `ESOCKET ECONNREFUSED`. */
function reasonOf({ code, originalCode, response, responseCode }: NodemailerError): string {
  if (responseCode === undefined) return [code ?? 'unknown', originalCode].filter(Boolean).join(' ')
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?!\S)/.exec(response ?? '')
  return enhanced ? `${responseCode} ${enhanced[1]}` : String(responseCode)
}
