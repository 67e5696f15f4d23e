import type { Clock } from './clock.ts'

/** Milliseconds in which an error with the same message is not reported again. */
const QUIET_MS = 10_000

/**
 * Returns a listener that reports errors with the same message once in ten seconds. One lost connection emits several errors,
 * and all connections of a pool are lost together.
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

/** The callbacks for the loss of a connection and for its return. */
interface LossReport {
  lost(error: Error): void
  back(): void
}

/** Returns callbacks that report each loss of a connection once, however often the client fails to reconnect, and its return once. */
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
