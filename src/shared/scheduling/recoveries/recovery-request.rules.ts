import type { Interval } from '../../platform/kernel/instants.ts'
import type { RecoveryCause, RecoveryReach } from './recovery.types.ts'

const LONGEST_MS = 7 * 86_400_000

/** A request that a client can send as it is. */
export interface RecoveryRequest {
  method: 'POST'
  path: '/recoveries'
  body: { cause: RecoveryCause; startDate: string; endDate: string; reach?: RecoveryReach }
}

/** Returns the request that plans a recovery; a window longer than seven days is cut. Implements interface §Recovery. */
export function recoveryRequest({
  cause,
  start,
  end,
  reach,
}: Interval & { cause: RecoveryCause; reach?: RecoveryReach }): RecoveryRequest {
  const until = new Date(Math.min(end.getTime(), start.getTime() + LONGEST_MS))
  const body = { cause, startDate: start.toISOString(), endDate: until.toISOString(), ...(reach && { reach }) }
  return { method: 'POST', path: '/recoveries', body }
}
