import { deskStaff, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import type { AppError } from '../../platform/kernel/errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

/** A cancelled booking may be restored for this many days. */
const RESTORE_DAYS = 7
/** The most times that one booking is restored. */
const MOST_RESTORES = 2
const DAY_MS = 86_400_000

/** The facts that decide whether a booking may be restored. */
export interface RestoreFacts {
  now: Date
  start: Date
  end: Date
  createdBy: number
  cancelledAt: Date
  /** Null when the service cancelled it. */
  cancelledBy: number | null
  category: string | null
  /** How often the booking was restored before. */
  restores: number
}

/**
 * Returns whether a member may restore a cancelled booking: desk staff, and its creator when the creator cancelled it.
 * Implements interface §Reservations, POST /reservations/{id}/restore.
 */
export function mayRestore(
  { createdBy, cancelledBy }: Pick<RestoreFacts, 'createdBy' | 'cancelledBy'>,
  { orgUserId, roles }: { orgUserId: number; roles: RoleFlags },
): boolean {
  return hasRole(roles, deskStaff) || (createdBy === orgUserId && cancelledBy === orgUserId)
}

/**
 * Returns why a cancelled booking cannot be restored; null when it can. Its start must be ahead; desk staff restore a no-show until
 * its booked end.
 */
export function refuseRestore(facts: RestoreFacts, { roles }: { roles: RoleFlags }): AppError | null {
  const { now, start, end, cancelledAt, category, restores } = facts
  if (restores >= MOST_RESTORES) return schedulingErrors.restoredTwice()
  if (now.getTime() - cancelledAt.getTime() > RESTORE_DAYS * DAY_MS) return schedulingErrors.restoreTooLate()
  const isLate = category === 'no_show' && hasRole(roles, deskStaff)
  return now < (isLate ? end : start) ? null : schedulingErrors.restoreStarted()
}
