import { createTransport, type NodemailerError, type SMTPPoolOptions } from 'nodemailer'
import { oneLine } from '../../kernel/text.ts'
import { type Invitation, type Mail, type Mailer, MailRefused, MailUnavailable } from './mailer.port.ts'
import { addressOf } from './sender-address.ts'

/** Time-outs in milliseconds. */
export interface SmtpTimeouts {
  /** For name resolution, connection and TLS. */
  connect: number
  /** For the server's greeting. */
  greeting: number
  /** For the time without data on an open connection. */
  socket: number
}

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with the credentials when the server requires them. */
  url: string
  /** The sender: `Flightline <no-reply@flightline.example>`. */
  from: string
  timeouts?: Partial<SmtpTimeouts>
  /** The most open connections to the server; 5 when undefined. */
  maxConnections?: number
}

/**
 * The socket's time-out is much longer than the caller's. After a pause of the process, the socket's timer fires before the
 * waiting reply is read, so with a short time-out an accepted mail would count as failed.
 */
const TIMEOUTS: SmtpTimeouts = { connect: 10_000, greeting: 10_000, socket: 120_000 }

/** A single mailbox, so that a stored address can neither name a second recipient nor end the SMTP command. */
const MAILBOX = /^[^\s<>()[\]\\,;:@"\p{Cc}]+@[^\s<>()[\]\\,;:@"\p{Cc}]+$/u

/**
 * Creates a mailer with a small pool of SMTP connections. It reconnects when the server is available again.
 * @throws RangeError for a URL that is not `smtp:` or `smtps:`, or that has parameters
 */
export function createSmtpMailer(options: SmtpOptions): Mailer {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const transport = createTransport({
    ...server(options.url),
    pool: true,
    maxConnections: options.maxConnections ?? 5,
    maxRequeues: 1,
    connectionTimeout: timeouts.connect,
    dnsTimeout: timeouts.connect,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.socket,
    socketCloseTimeout: 1_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  })
  const inHand = new Set<Promise<unknown>>()
  let closed = false

  return {
    async send(mail, signal) {
      if (closed) throw new MailUnavailable('closed')
      if (!MAILBOX.test(mail.to.address)) throw new MailRefused('address')
      const delivery = transport.sendMail({ ...message(mail, options.from), ...(signal && { signal }) })
      inHand.add(delivery)
      try {
        await delivery
      } catch (error) {
        throw mailError(error)
      } finally {
        inHand.delete(delivery)
      }
    },

    async close() {
      closed = true
      await Promise.allSettled(inHand)
      transport.close()
    },
  }
}

function message(mail: Mail, from: string) {
  return {
    from: mail.fromName === undefined ? from : { name: oneLine(mail.fromName), address: addressOf(from) },
    ...(mail.replyTo && { replyTo: { name: oneLine(mail.replyTo.name), address: mail.replyTo.address } }),
    ...invitationParts(mail.invitations ?? []),
    to: { name: oneLine(mail.to.name), address: mail.to.address },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: `<${oneLine(mail.messageId).replace(/[<>\s]/g, '')}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...Object.fromEntries(Object.entries(mail.headers ?? {}).map(([name, value]) => [name, oneLine(value)])),
    },
  }
}

/** Returns the calendar parts of a message: mail programs show the first invitation with the text; the others are attachments. */
function invitationParts([first, ...others]: readonly Invitation[]) {
  if (!first) return {}
  const attachments = others.map(({ method, content }, index) => ({
    filename: `invitation-${index + 2}.ics`,
    content,
    contentType: `text/calendar; charset=utf-8; method=${method}`,
  }))
  return { icalEvent: { filename: 'invitation.ics', ...first }, attachments }
}

/** Returns the options of the connection pool for a URL. With credentials, TLS is required. */
function server(url: string): SMTPPoolOptions {
  const { protocol, hostname, port, username, password, search } = new URL(url)
  if (protocol !== 'smtp:' && protocol !== 'smtps:') throw new RangeError('A mail server is smtp:// or smtps://.')
  if (search) throw new RangeError('The address of a mail server takes no parameters.')
  const secure = protocol === 'smtps:'
  const target = { host: hostname.replace(/^\[|\]$/g, ''), secure, ...(port && { port: Number(port) }) }
  if (!username) return target
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  return { ...target, requireTLS: !secure, auth }
}

const AUTHENTICATION_REQUIRED = 530

/**
 * Classifies an SMTP error. It is permanent only when the reply is about this recipient or message. A 5xx reply to the sign-in
 * or to the sender's address is about the configuration, so mails wait until an operator fixes it.
 * The result has codes only, because the server's text repeats addresses and content.
 */
function mailError(error: unknown): MailRefused | MailUnavailable {
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
