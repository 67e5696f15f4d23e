/** A time limit that counts only the time in which this process runs. */
export interface RunningTimeLimit {
  /** Aborted when the time is up. */
  signal: AbortSignal
  clear(): void
}

const STEPS = 20

/**
 * Limits a call to `ms` milliseconds in which this process runs. Time in which the process was stopped (SIGSTOP, a
 * frozen virtual machine, a blocked event loop) does not count: an ordinary timer would fire before the process reads
 * a response that arrived in the meantime, and a call that succeeded would be repeated.
 */
export function limitRunningTime(ms: number): RunningTimeLimit {
  const controller = new AbortController()
  const step = Math.max(1, Math.floor(ms / STEPS))
  let left = ms
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    const passed = now - last
    last = now
    if (passed > 3 * step + STOPPED_MS) return
    left -= passed
    if (left > 0) return
    clearInterval(timer)
    controller.abort(new DOMException('The call took too long.', 'TimeoutError'))
  }, step)
  return { signal: controller.signal, clear: () => clearInterval(timer) }
}

/** When a step takes more than three times its planned length plus these milliseconds, the process was stopped. */
const STOPPED_MS = 200
