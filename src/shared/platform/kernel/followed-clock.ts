/** Milliseconds between two readings of the other machine's clock. */
const ASK_EVERY_MS = 10_000

/** The clock of another machine, such as the database's. */
export interface FollowedClock {
  /** Returns its time in milliseconds since 1970. */
  now(): number
  /** Stops reading the other clock. `now` still works. */
  stop(): void
}

/**
 * Returns a clock that follows the one that `ask` reads. Between two readings it advances with the monotonic clock of this
 * machine, so a wall clock that is wrong or is changed has no effect. A reading corrects the time only when the difference is
 * larger than the uncertainty of the reading, which is about half of its duration. Rejects when the first reading fails; later
 * failures are ignored.
 */
export async function followClock(ask: () => Promise<number>): Promise<FollowedClock> {
  let { aheadMs } = await compare()
  const timer = setInterval(() => {
    compare().then(
      (found) => {
        if (Math.abs(found.aheadMs - aheadMs) > found.uncertainMs) aheadMs = found.aheadMs
      },
      // The reading failed: the clock keeps its last correction.
      () => undefined,
    )
  }, ASK_EVERY_MS)
  timer.unref()
  return { now: () => Math.round(performance.now() + aheadMs), stop: () => clearInterval(timer) }

  /** Returns how many milliseconds the other clock is ahead of the monotonic clock, and the uncertainty of this number. */
  async function compare(): Promise<{ aheadMs: number; uncertainMs: number }> {
    const askedAt = performance.now()
    const notifiedMs = await ask()
    const answeredAt = performance.now()
    return { aheadMs: notifiedMs - (askedAt + answeredAt) / 2, uncertainMs: (answeredAt - askedAt) / 2 + 1 }
  }
}
