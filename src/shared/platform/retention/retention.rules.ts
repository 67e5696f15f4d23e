const DAY_MS = 86_400_000

/** Retention periods in days of 24 hours. */
export const keptDays = {
  /**
   * An Idempotency-Key and its response, which a repeated request gets. Implements interface §Conventions that hold
   * across the interface.
   */
  idempotencyKey: 1,
  /** A mailed link, from its expiry. */
  mailToken: 7,
  /** A network that an account signed in from, from the latest sign-in. */
  signInNetwork: 30,
  /** An invitation that was not accepted, from its expiry: admins see that it expired. */
  invitation: 30,
  /** A public request that was not confirmed by its mailed link, with the guest's name and address. */
  unconfirmedRequest: 7,
  /** An unfinished connection to a meeting provider, from its expiry. */
  connectionState: 1,
  /** An external call. Its job is over by then, so nothing repeats the call. */
  delivery: 30,
  /** The instant at which an organization notified an audience: as long as it counts for the daily limit. */
  announcementMailing: 1,
  /** An event as webhooks send it, with its deliveries; as long as it can be replayed. */
  webhookEvent: 30,
  /** The count of webhooks to an address, from the latest one. */
  webhookRate: 30,
  /** A job that was given up. */
  failedJob: 90,
  /** An operation with its rows. */
  operation: 90,
  /** That somebody was told of bookings at risk: its mail is over by then. */
  atRiskNotice: 7,
  /** What was sent to be imported: the text, and its rows. */
  importFile: 1,
  mailCount: 2,
  /** The file of an export. */
  operationFile: 7,
  /** A read notification. */
  readNotification: 180,
  /** An unread notification. */
  notification: 400,
  /** The id of an event of the payment gateway, which must not count twice; the gateway repeats events for 30 days. */
  gatewayEvent: 400,
  /** An event of the audit log: seven years with their leap days. */
  event: 2557,
  /** Reports of a weather station, from the latest request. */
  weatherStation: 7,
  /** A partial upload, from the client's last write. */
  halfUpload: 1,
} as const

/** Returns the instant before which rows are expired. */
export function keptSince(now: Date, what: keyof typeof keptDays): Date {
  return new Date(now.getTime() - keptDays[what] * DAY_MS)
}
