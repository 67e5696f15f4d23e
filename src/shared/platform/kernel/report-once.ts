import type { Clock } from './clock.ts'

/** How long an equal reason is not reported again, in milliseconds. */
const QUIET_MS = 10_000

/**
 * Returns a listener that reports an equal reason once in ten seconds: several emitters report the loss of one connection,
 * and all connections of a pool are lost at once.
 */
export function reportErrorOnce(onError: (error: Error) => void, clock: Clock): (error: Error) => void {
  const told = new Map<string, number>()
  return (error) => {
    const now = clock().getTime()
    for (const [reason, at] of told) if (now - at >= QUIET_MS) told.delete(reason)
    if (told.has(error.message)) return
    told.set(error.message, now)
    onError(error)
  }
}

/** What a connection says of itself: why it is lost, and that it is back. */
interface LossReport {
  lost(error: Error): void
  back(): void
}

/** Returns a report that tells once of each loss, however often the client fails to connect again, and of its end. */
export function reportLossOnce({ lost, back }: LossReport): LossReport {
  let isLost = false
  return {
    lost(error) {
      if (!isLost) lost(error)
      isLost = true
    },
    back() {
      if (isLost) back()
      isLost = false
    },
  }
}
