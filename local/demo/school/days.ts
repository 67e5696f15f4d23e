const DAY_MS = 86_400_000

/** Returns the instant `days` days of 24 hours after `now`; before it for negative days. */
export function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS)
}
