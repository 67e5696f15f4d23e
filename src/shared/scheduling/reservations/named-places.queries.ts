import { sql } from 'kysely'
import type { Side } from '../../fleet/resources/reservation-types.rules.ts'
import { readRows, type Source } from '../../platform/db/read-rows.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { Seated, StoredPlace } from './place.rules.ts'

/** The time, resource and people of a booking, with their names. */
export interface NamedPlace extends Interval {
  resource: { id: number; name: string } | null
  seats: (Seated & { name: string })[]
}

interface NamedRow {
  kind: 'resource' | 'member' | 'guest'
  id: number
  name: string
}

/** Returns stored places with the present names of their resources and people, former members included, in the same order. */
export async function namePlaces(
  source: Source,
  organizationId: number,
  places: readonly StoredPlace[],
): Promise<NamedPlace[]> {
  if (places.length === 0) return []
  const seats = places.map(seatsOf)
  const all = seats.flat()
  const ids = {
    resource: places.flatMap(({ resourceId }) => resourceId ?? []),
    member: all.flatMap(({ orgUserId }) => orgUserId ?? []),
    guest: all.flatMap(({ guestId }) => guestId ?? []),
  }
  const rows = await readRows(
    source,
    sql<NamedRow>`
      select 'resource' as kind, id, name from resource
      where organization_id = ${organizationId} and id = any(${ids.resource})
      union all
      select 'member', id, search_name from membership
      where organization_id = ${organizationId} and id = any(${ids.member})
      union all
      select 'guest', id, name from guest where organization_id = ${organizationId} and id = any(${ids.guest})`,
  )
  const names = new Map(rows.map(({ kind, id, name }) => [`${kind} ${id}`, name]))
  const nameOf = (kind: NamedRow['kind'], id: number) => names.get(`${kind} ${id}`) ?? ''
  return places.map(({ start, end, resourceId }, at) => ({
    start: new Date(start),
    end: new Date(end),
    resource: resourceId === null ? null : { id: resourceId, name: nameOf('resource', resourceId) },
    seats: seats[at]!.map((seat) => ({
      ...seat,
      name: seat.orgUserId === null ? nameOf('guest', seat.guestId!) : nameOf('member', seat.orgUserId),
    })),
  }))
}

/** Returns the seats of a stored place. Guests sit on a side of their own. */
function seatsOf({ personnel }: StoredPlace): Seated[] {
  return Object.entries(personnel).flatMap(([side, ids]) =>
    ids.map((id) =>
      side === 'guests'
        ? { side: 'guests' as const, orgUserId: null, guestId: id }
        : { side: side as Side, orgUserId: id, guestId: null },
    ),
  )
}
