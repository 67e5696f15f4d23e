import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { identityErrors } from '../identity.errors.ts'
import { Location } from '../organizations.tables.ts'

/** Returns a location for a change. The caller holds the organization's lock. */
export async function loadLocation(tx: Tx, organizationId: number, id: number): Promise<Location> {
  const location = await tx.em.findOne(Location, { id, organizationId })
  if (!location) throw platformErrors.noSuchRecord()
  return location
}

const users = { resource: 'resource', reservation: 'booking', booking_request: 'booking request' } as const

/**
 * Ensures that no resource, booking or booking request refers to a location.
 * Implements interface §Locations, DELETE /locations/{id}.
 */
export async function assertIsNotUsed(tx: Tx, { organizationId, id, name }: Location): Promise<void> {
  for (const table of ['resource', 'reservation', 'booking_request'] as const) {
    const user = await tx.db
      .selectFrom(table)
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('location_id', '=', id)
      .limit(1)
      .executeTakeFirst()
    if (user) throw identityErrors.locationInUse({ location: name, user: users[table] })
  }
}

/** Ensures that all `locationIds` are locations of the organization. */
export async function assertHasLocations(
  tx: Tx,
  { organizationId }: Pick<Actor, 'organizationId'>,
  locationIds: readonly number[],
): Promise<void> {
  const found = await tx.em.find(Location, { organizationId, id: { $in: [...locationIds] } }, { fields: ['id'] })
  const known = new Set(found.map(({ id }) => id))
  const index = locationIds.findIndex((id) => !known.has(id))
  if (index >= 0) throw identityErrors.unknownLocation({ field: `locationIds.${index}` })
}
