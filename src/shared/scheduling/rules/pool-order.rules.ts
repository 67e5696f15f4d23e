import type { Interval } from '../../platform/kernel/instants.ts'
import { localDate } from '../../platform/kernel/zones.ts'

/** A resource of a pool, with the zone of its location and its live bookings near the starts that are asked about. */
export interface PoolMember {
  id: number
  zone: string
  booked: readonly Interval[]
}

/** The most resources of a pool that are judged for one booking. */
const MOST_JUDGED = 20

/**
 * Returns for each start the resources of a pool in the order in which they are taken: first the one with the least booked
 * hours on the local day of the start, then the one with the lowest id. A booking counts on the day on which it starts.
 * Implements interface §Reservations (`resource.pool`).
 */
export function poolOrders(members: readonly PoolMember[], starts: readonly Date[]): number[][] {
  const booked = new Map(members.map((member) => [member, bookedOfDays(member)]))
  return starts.map((start) => {
    const load = (member: PoolMember) => booked.get(member)?.get(localDate(start, member.zone)) ?? 0
    const sorted = members.toSorted((one, other) => load(one) - load(other) || one.id - other.id)
    return sorted.slice(0, MOST_JUDGED).map(({ id }) => id)
  })
}

/** Returns the booked milliseconds of a resource by local day. */
function bookedOfDays({ zone, booked }: PoolMember): Map<string, number> {
  const days = new Map<string, number>()
  for (const { start, end } of booked) {
    const day = localDate(start, zone)
    days.set(day, (days.get(day) ?? 0) + end.getTime() - start.getTime())
  }
  return days
}
