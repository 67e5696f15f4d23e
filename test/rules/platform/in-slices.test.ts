import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { inSlices, othersTurn, Stopped, stoppable } from '../../../src/shared/platform/db/stoppable.ts'
import type { Steps } from '../../../src/shared/platform/kernel/steps.ts'

/** Steps of a millisecond each, which are counted. */
function* busy(steps: number, made: { steps: number }): Steps<string> {
  for (; made.steps < steps; made.steps += 1) {
    const end = performance.now() + 1
    while (performance.now() < end);
    yield
  }
  return 'done'
}

describe('a computation in slices', () => {
  test('lets other work have its turn before it is done', async () => {
    const made = { steps: 0 }
    const running = inSlices(busy(100, made))
    await turn()
    expect(made.steps).toBeGreaterThan(0)
    expect(made.steps).toBeLessThan(100)
    expect(await running).toBe('done')
    expect(made.steps).toBe(100)
  })

  test('ends when the work that it is part of is stopped', async () => {
    const made = { steps: 0 }
    const { result, stop } = stoppable(() => inSlices(busy(1_000, made)))
    const ended = expect(result).rejects.toThrow(Stopped)
    await turn()
    stop()
    await ended
    expect(made.steps).toBeLessThan(1_000)
  })

  test('goes on where nothing can stop it', async () => {
    await expect(othersTurn()).resolves.toBeUndefined()
  })
})
