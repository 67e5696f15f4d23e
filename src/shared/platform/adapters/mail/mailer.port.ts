/** One mail to one person, as text and HTML. */
export interface Mail {
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  /**
   * The `Message-ID`: `7f3a@flightline.example`, with or without angle brackets. It is derived from the delivery's key and the
   * same on every retry, so that a mail sent twice is recognized as one.
   */
  messageId: string
  headers?: Record<string, string>
  /** The sender's name in place of the service's own; the address stays the service's. */
  fromName?: string
  /** The confirmed address that receives replies. */
  replyTo?: { name: string; address: string }
  /** Calendar invitations as iCalendar (RFC 6047). Mail programs show the first with the text; the others are attachments. */
  invitations?: readonly Invitation[]
}

/** A calendar event for the recipient of a mail: `REQUEST` adds or updates it, `CANCEL` removes it. */
export interface Invitation {
  method: 'REQUEST' | 'CANCEL'
  content: string
}

/** Sends mails to a mail server. */
export interface Mailer {
  /**
   * Resolves when the server has accepted the mail. `signal` aborts the attempt and its wait for a connection; the server may
   * nevertheless have accepted the mail.
   * @throws MailRefused when the server will never accept the mail
   * @throws MailUnavailable when a later attempt may succeed
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>

  /** Accepts no further mail, and resolves when those in progress have ended. */
  close(): Promise<void>
}

/**
 * The mail will never be accepted: the server rejected it permanently (a 5xx reply such as 550), or its address is malformed.
 * `reason` is a code, never the server's text, which repeats the address.
 */
export class MailRefused extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`The mail was refused for good (${reason}).`)
    this.name = 'MailRefused'
    this.reason = reason
  }
}

/** The mail cannot be sent now: the server is down, too slow, busy, or rejects the sign-in. */
export class MailUnavailable extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`The mail server could not take the mail now (${reason}).`)
    this.name = 'MailUnavailable'
    this.reason = reason
  }
}
