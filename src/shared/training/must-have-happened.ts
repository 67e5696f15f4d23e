import { Invalid } from '../platform/kernel/errors.ts'

/** How far a client's clock may be ahead of ours. */
const SKEW_MS = 5 * 60_000

/** Training is recorded after it took place. @throws Invalid naming the field for an instant that lies ahead */
export function mustHaveHappened(instant: Date, now: Date, field: string): void {
  if (instant.getTime() > now.getTime() + SKEW_MS) throw new Invalid(`${field}: must not lie in the future`)
}
