import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limitRunningTime } from '../../../src/shared/platform/kernel/running-time.ts'

test('a limit on running time ends a call that takes too long', async () => {
  const limit = limitRunningTime(100)
  const started = performance.now()
  await new Promise((resolve) => limit.signal.addEventListener('abort', resolve))
  expect(performance.now() - started).toBeGreaterThan(95)
})

test('time in which the process does not run does not count towards the limit', async () => {
  const limit = limitRunningTime(400)
  // As SIGSTOP does it, nothing of this process runs meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
  await pause(50)
  expect(limit.signal.aborted).toBe(false)
  limit.clear()
})

test('a limit that is cleared aborts nothing', async () => {
  const limit = limitRunningTime(20)
  limit.clear()
  await pause(60)
  expect(limit.signal.aborted).toBe(false)
})
