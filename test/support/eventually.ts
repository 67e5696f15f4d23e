import { setTimeout as pause } from 'node:timers/promises'

/**
 * How long a test waits for what must come, in milliseconds; then it fails with what it saw. A little shorter than the limit
 * that ends a test which hangs, and longer than a claim: what PostgreSQL claimed or did while nobody heard its answer goes on
 * after a minute.
 */
const PATIENCE_MS = 100_000
const LOOK_EVERY_MS = 25

/** Repeats `look` until `fits` accepts its value, to wait for the effect of a webhook or a job. */
export async function eventually<T>(look: () => Promise<T>, fits: (value: T) => boolean): Promise<T> {
  for (const started = performance.now(); ; ) {
    const value = await look()
    if (fits(value)) return value
    if (performance.now() - started > PATIENCE_MS) throw new Error(`it never came to that: ${JSON.stringify(value)}`)
    await pause(LOOK_EVERY_MS)
  }
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(async () => holds(), Boolean)
}
