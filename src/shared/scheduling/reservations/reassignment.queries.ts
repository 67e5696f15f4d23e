import type { Db } from '../../platform/db/database.ts'
import type { PlaceParts } from './place.rules.ts'

/** People by their ids. */
export interface People {
  orgUserIds: number[]
  guestIds: number[]
}

/**
 * The effect of a change of a booking: the parts of its place that changed, and the people who were added and removed.
 */
export interface Reassignment {
  changes: { field: string; before: unknown; after: unknown }[]
  came: People
  left: People
  /** Whether the event restored the cancelled booking. */
  restored: boolean
}

/** Returns what an event changed in a booking, or that it restored it; nothing when the event is unknown or of another kind. */
export async function findReassignment(
  db: Db,
  organizationId: number,
  eventId: string | undefined,
): Promise<Reassignment> {
  const event = eventId
    ? await db
        .selectFrom('event')
        .select(['kind', 'before', 'after'])
        .where('organization_id', '=', organizationId)
        .where('id', '=', eventId)
        .where('kind', 'in', ['reservation.changed', 'reservation.restored'])
        .executeTakeFirst()
    : undefined
  const [before, after] = [event?.before ?? {}, event?.after ?? {}] as [PlaceParts, PlaceParts]
  const fields = Object.keys(before) as (keyof PlaceParts)[]
  const changes = fields.map((field) => ({ field, before: before[field], after: after[field] }))
  return {
    changes,
    came: peopleIn(after).minus(before),
    left: peopleIn(before).minus(after),
    restored: event?.kind === 'reservation.restored',
  }
}

function peopleIn({ personnel = {} }: PlaceParts) {
  const { guests = [], ...sides } = personnel
  const members = Object.values(sides).flat()
  return {
    minus(other: PlaceParts): People {
      const known = other.personnel ?? {}
      const { guests: others = [], ...seated } = known
      const seatedElsewhere = Object.values(seated).flat()
      return {
        orgUserIds: members.filter((id) => !seatedElsewhere.includes(id)),
        guestIds: guests.filter((id) => !others.includes(id)),
      }
    },
  }
}
