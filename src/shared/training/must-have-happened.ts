import { Invalid } from '../platform/kernel/errors.ts'

/** How far a client's clock may run ahead of the server's. */
const SKEW_MS = 5 * 60_000

/**
 * Checks that an instant is not in the future, since training is recorded after it took place.
 * @throws Invalid naming the field when the instant is more than five minutes ahead
 */
export function mustHaveHappened(instant: Date, now: Date, field: string): void {
  if (instant.getTime() > now.getTime() + SKEW_MS) throw new Invalid(`${field}: must not lie in the future`)
}
