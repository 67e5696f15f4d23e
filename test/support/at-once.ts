import type { Steps } from '../../src/shared/platform/kernel/steps.ts'

/** Runs a computation to its end. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
