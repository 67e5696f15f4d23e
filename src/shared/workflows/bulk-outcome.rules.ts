import { type LifecycleFacts, refusalOf } from '../scheduling/reservations/lifecycle.states.ts'
import { type Place, placeChanges, wholePlace } from '../scheduling/reservations/place.rules.ts'
import type { RuleKey } from '../scheduling/rules/rule-catalogue.rules.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import type { BulkDetail } from './bulk.types.ts'

/** The result of a booking in a bulk: that of its row (`RowOutcome`) without the number. */
export interface Outcome {
  outcome: string
  problems: readonly unknown[]
  warnings: readonly unknown[]
  detail?: Record<string, unknown> | null
}

/** Returns an outcome without problems and warnings. */
export function plain(outcome: string): Outcome {
  return { outcome, problems: [], warnings: [] }
}

/** Returns the outcome of a booking that is refused. */
export function refusedBy(...problems: readonly unknown[]): Outcome {
  return { outcome: 'refused', problems, warnings: [] }
}

/** Returns a problem that does not come from a booking rule, in the shape of a rule's problem. */
export function rowProblem(code: string, message: unknown) {
  return { rule: 'booking_shape', code, message, field: '', overridable: false }
}

/** Returns the problem of an override that the caller may not give. */
export function deniedProblem(rule: RuleKey) {
  return rowProblem('OVERRIDE_NOT_ALLOWED', schedulingErrors.overrideNotAllowed({ rule }, { rule }).message)
}

/**
 * Returns the outcome of a booking that a bulk cannot change: `unchanged` when it is cancelled, `refused` when it was ramped out or has
 * ended. Null when it can be changed.
 */
export function notOpen(
  row: { cancelled_at: Date | null; ends_at: Date },
  lifecycle: LifecycleFacts,
  { now, cancels }: { now: Date; cancels: boolean },
): Outcome | null {
  if (row.cancelled_at) return plain('unchanged')
  const refusal = refusalOf(cancels ? 'cancel' : 'change', lifecycle)
  if (!refusal && row.ends_at > now) return null
  const { message } = refusal ?? schedulingErrors.leftTheRamp()
  return refusedBy(rowProblem('RESERVATION_RAMPED_OUT', message))
}

/**
 * Returns what the row of a booking keeps of it: its place, and what of it a change replaced. `to` is null for a cancelled
 * booking, and absent for one that stays.
 */
export function detailOf(row: { title: string; time_zone_name: string }, from: Place, to?: Place | null): BulkDetail {
  const people = [...from.seats, ...(to?.seats ?? [])]
  const { start, end, resourceId, personnel } = wholePlace(from)
  return {
    title: row.title,
    zone: row.time_zone_name,
    start,
    end,
    resourceId,
    personnel,
    ...(to !== undefined && { after: to && (placeChanges(from, to)?.after ?? {}) }),
    orgUserIds: [...new Set(people.flatMap(({ orgUserId }) => orgUserId ?? []))],
    guestIds: [...new Set(people.flatMap(({ guestId }) => guestId ?? []))],
  }
}
