import { overlaps } from '../../platform/kernel/instants.ts'
import type { Seated } from '../reservations/place.rules.ts'
import type { MemberFacts } from '../rules/booking-facts.types.ts'
import type { Judgement } from '../rules/problems.ts'
import type { RecoveryToPlan } from './recovery.types.ts'

/** The rules that say that a resource itself is held. */
const holds: readonly string[] = ['resource_grounded', 'inspection_due']

/** Returns whether a record holds the resource from a booking: a grounding, a deferral, or an inspection that is due. */
export function isHeld({ problems }: Pick<Judgement, 'problems'>): boolean {
  return problems.some(({ rule }) => holds.includes(rule))
}

/** A booking that a cause takes, and whether by its resource. */
interface Taken {
  byResource: boolean
  row: { id: number; starts_at: Date; ends_at: Date; seats: readonly Seated[] }
}

/** A booking where it stands. */
interface Standing {
  facts: { seats: readonly { orgUserId: number | null; member: Pick<MemberFacts, 'timeOff'> | null }[] }
  judgement: Pick<Judgement, 'problems'>
}

/**
 * Returns whether a part of a cause that takes a booking is on no record: a resource that nothing holds from it, an instructor without time off
 * then, or the booking itself, which the rules accept where it stands. A closure is a record. Implements interface §Recovery.
 */
export function isAsserted(
  { cause, start, end }: Pick<RecoveryToPlan, 'cause' | 'start' | 'end'>,
  { byResource, row }: Taken,
  { facts, judgement }: Standing,
  stands: boolean,
): boolean {
  if (byResource && !isHeld(judgement)) return true
  if (stands && cause.reservationIds?.includes(row.id)) return true
  const time = { start: row.starts_at, end: row.ends_at }
  if (!overlaps(time, { start, end })) return false
  const named = row.seats.filter(
    ({ side, orgUserId }) => side === 'instructors' && cause.instructorOrgUserIds?.includes(orgUserId ?? 0),
  )
  return named.some(({ orgUserId }) => {
    const seat = facts.seats.find((one) => one.orgUserId === orgUserId)
    return !seat?.member?.timeOff.some((away) => overlaps(away, time))
  })
}
