import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How often a process looks whether it rests, in milliseconds. */
const EVERY_MS = 5_000
/** A process rests when its event loop worked for at most this share of that time. */
const RESTS = 0.05
/** A collection is worth its pause when the process has grown by this many bytes. */
const WORTH = 32 * 1024 ** 2

/**
 * Collects garbage and gives memory back while the process rests, when it has grown since the last time. V8 keeps the pages of
 * what it collected for later objects, so a process that rests after a load would hold two thirds of its memory for nothing.
 */
export function collectAtRest(everyMs = EVERY_MS): void {
  // Node.js gives the function to contexts that are made after the flag is set.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  let before = performance.eventLoopUtilization()
  let held = 0
  const look = () => {
    const { utilization } = performance.eventLoopUtilization(before)
    if (utilization <= RESTS && process.memoryUsage.rss() >= held + WORTH) {
      // Only this kind returns the kept pages to the system.
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
      held = process.memoryUsage.rss()
    }
    before = performance.eventLoopUtilization()
  }
  setInterval(look, everyMs).unref()
}
