const DAY_MS = 86_400_000

/** Retention periods in days of 24 hours. */
export const keptDays = {
  /** An Idempotency-Key and its response, which repetitions get during this time. */
  idempotencyKey: 1,
  /** A mailed link, after it has run out. */
  mailToken: 7,
  /** A network that somebody signed in from, since the last time. */
  signInNetwork: 30,
  /** An invitation that nobody accepted, after it has run out: admins see until then that it did. */
  invitation: 30,
  /** A public request whose mailed link nobody opened, with the name and address on it. */
  unconfirmedRequest: 7,
  /** A connection to a meeting provider that was begun, after it has run out. */
  connectionState: 1,
  /** What was sent outside: its job is over by then, so that nothing sends it again. */
  delivery: 30,
  /** When an organization notified an audience: as long as it counts for the limit of a day. */
  announcementMailing: 1,
  /** An event as webhooks send it, with its deliveries; it can be replayed for so long. */
  webhookEvent: 30,
  /** How often an address was sent webhooks, since the last one. */
  webhookRate: 30,
  /** A job that was given up. */
  failedJob: 90,
  /** A long piece of work with its rows. */
  operation: 90,
  /** A read notification. */
  readNotification: 180,
  /** An unread notification. */
  notification: 400,
  /** The id of an event of the payment processor, which must not count twice; it repeats events for 30 days. */
  gatewayEvent: 400,
  /** What happened in an organization: seven years and the leap days in them. */
  event: 2557,
  /** Reports of a weather station that is not requested any more, since the last request. */
  weatherStation: 7,
  /** A partial upload of a client that disconnected. */
  halfUpload: 1,
} as const

/** Returns the instant before which rows are expired. */
export function keptSince(now: Date, what: keyof typeof keptDays): Date {
  return new Date(now.getTime() - keptDays[what] * DAY_MS)
}
