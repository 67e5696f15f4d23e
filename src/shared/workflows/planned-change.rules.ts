import type { RecoveryDetail } from '../scheduling/recoveries/recovery.types.ts'
import type { BulkChange } from './bulk.types.ts'

/** Returns the change that gives a booking its place of a plan. `how`: how its person agreed, as the desk recorded it. */
export function plannedChange(
  { reservationId: id, detail }: { reservationId: number; detail: RecoveryDetail },
  how: 'phone' | 'counter' | 'message' | undefined,
  isDisplaced = false,
): BulkChange {
  const { from, mostCents } = detail
  const [agreed] = detail.consent
  const { start, end, resourceId, instructorOrgUserId } = detail.to!
  const isReseated = instructorOrgUserId !== null && instructorOrgUserId !== from.instructorOrgUserId
  const seats = isReseated ? [{ side: 'instructors' as const, index: 0, orgUserId: instructorOrgUserId }] : []
  const given = agreed && how && { how, orgUserId: agreed.orgUserId }
  const to = { start, end, resourceId, ...(isReseated && { sides: [{ side: 'instructors' as const, seats }] }) }
  const planned = { agreed: detail.consent.map(({ because }) => because), isDisplaced }
  return { id, ...to, from, mostCents, planned, given }
}
