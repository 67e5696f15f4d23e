const DAY_MS = 86_400_000

/** Returns the instant that is `days` times 24 hours after `now`; a negative number gives an earlier instant. */
export function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS)
}
