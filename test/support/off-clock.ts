import { vi } from 'vitest'

/** Puts the clock of this process ahead by these milliseconds, until `vi.restoreAllMocks()`: `Date.now()`, by which BullMQ goes. */
export function setClockOff(ms: number): void {
  const right = Date.now.bind(Date)
  vi.spyOn(Date, 'now').mockImplementation(() => right() + ms)
}
