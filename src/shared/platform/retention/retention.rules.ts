const DAY_MS = 86_400_000

/** For how many days of 24 hours what has served its purpose is kept. */
export const keptDays = {
  /** A POST's key and its answer: for so long a repetition is answered like the first. */
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
  /** A job that was given up. */
  failedJob: 90,
  /** A notification that was read. */
  readNotification: 180,
  /** A notification that nobody read. */
  notification: 400,
  /** The id of an event of the payment processor, which must not count twice; it repeats events for 30 days. */
  gatewayEvent: 400,
  /** Half an upload, whose sender broke off. */
  halfUpload: 1,
} as const

/** What is older than this instant has been kept long enough. */
export function keptSince(now: Date, what: keyof typeof keptDays): Date {
  return new Date(now.getTime() - keptDays[what] * DAY_MS)
}
