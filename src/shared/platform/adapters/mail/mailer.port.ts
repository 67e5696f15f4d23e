/** One mail to one person, in two parts: a client that cannot show the HTML shows the text. */
export interface Mail {
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  /**
   * Made of the delivery's key and the same on every retry, so that a mail that went out twice is recognized as one:
   * `7f3a@flightline.example`, with or without angle brackets.
   */
  messageId: string
  headers?: Record<string, string>
}

/** Hands mails to a mail server. */
export interface Mailer {
  /**
   * Answers once the server has taken the mail over. `signal` ends the hand-over, the wait for a free connection
   * included; the server may have taken the mail all the same.
   * @throws MailRefused when it will never be taken.
   * @throws MailUnavailable when a later try may succeed.
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>

  /** Takes no further mail, and answers when those in hand are sent or have failed. */
  close(): Promise<void>
}

/**
 * The server refused this mail for good (a 5xx answer such as 550): stop at once. `reason` holds the reply code, never
 * the server's own text, which repeats the address.
 */
export class MailRefused extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`The mail was refused for good (${reason}).`)
    this.name = 'MailRefused'
    this.reason = reason
  }
}

/** The mail could not be handed over now: the server is down, too slow, busy, or does not let us in. Try again. */
export class MailUnavailable extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`The mail server could not take the mail now (${reason}).`)
    this.name = 'MailUnavailable'
    this.reason = reason
  }
}
