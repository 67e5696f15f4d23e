/** The interval at which the other machine is asked for its time. */
const ASK_EVERY_MS = 10_000

/** The clock of another machine, such as the database's. */
export interface FollowedClock {
  /** Returns its time in milliseconds since 1970. */
  now(): number
  /** Asks no more; the time goes on. */
  stop(): void
}

/**
 * Follows the clock that `ask` reads. Between two questions the time goes on by the monotonic clock of this machine, so a
 * wall clock that is wrong, or is set while the process runs, changes nothing. An answer corrects the time only when they differ by
 * more than the answer was under way: a slow one does not make it worse.
 */
export async function followClock(ask: () => Promise<number>): Promise<FollowedClock> {
  let { aheadMs } = await compare()
  const timer = setInterval(() => {
    compare().then(
      (found) => {
        if (Math.abs(found.aheadMs - aheadMs) > found.uncertainMs) aheadMs = found.aheadMs
      },
      // It cannot be asked: the time goes on.
      () => undefined,
    )
  }, ASK_EVERY_MS)
  timer.unref()
  return { now: () => Math.round(performance.now() + aheadMs), stop: () => clearInterval(timer) }

  /** Returns how far the other clock is ahead of the monotonic one, and by how much that may be wrong. */
  async function compare(): Promise<{ aheadMs: number; uncertainMs: number }> {
    const askedAt = performance.now()
    const notifiedMs = await ask()
    const answeredAt = performance.now()
    return { aheadMs: notifiedMs - (askedAt + answeredAt) / 2, uncertainMs: (answeredAt - askedAt) / 2 + 1 }
  }
}
