import { createTransport, type SMTPPoolOptions } from 'nodemailer'
import { type Mail, type Mailer, MailRefused, MailUnavailable } from './mailer.port.ts'
import { oneLine } from './one-line.ts'
import { mailError } from './smtp-error.ts'

/** How long a hand-over may take, in milliseconds. */
export interface SmtpTimeouts {
  /** Finding the server, connecting and securing the connection. */
  connect: number
  /** Until the server greets. */
  greeting: number
  /** Silence on an open connection. */
  socket: number
}

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with the credentials when the server wants them. */
  url: string
  /** Who the mails are from: `Flightline <no-reply@flightline.example>`. */
  from: string
  timeouts?: Partial<SmtpTimeouts>
  /** How many connections are kept open to the server. */
  maxConnections?: number
}

/**
 * Silence ends a connection long after the caller's own limit: after a pause of the process the timer of the socket fires
 * before the answer that waits on it is read, and a mail that was taken would count as failed.
 */
const TIMEOUTS: SmtpTimeouts = { connect: 10_000, greeting: 10_000, socket: 120_000 }

/** A single mailbox, so that a stored address can never name a second recipient or end the command it stands in. */
const MAILBOX = /^[^\s<>()[\]\\,;:@"\p{Cc}]+@[^\s<>()[\]\\,;:@"\p{Cc}]+$/u

/**
 * A mailer that speaks SMTP over a small pool of connections. A server that comes back is used again without a restart.
 * @throws RangeError for an address of the server that is not `smtp:` or `smtps:`, or that carries parameters.
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
    from,
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

/** Credentials never travel in the clear: with them, a server that cannot encrypt is not signed in to. */
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
