import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { lockOrganization } from '../organizations/lock-organization.ts'
import { followFirstLocation } from './first-location.ts'
import { Location } from './location.entity.ts'

/**
 * Deletes a location that nothing refers to. The organization takes over the zone of the first remaining location.
 * @throws NotFound when the organization has no such location.
 * @throws Invalid when a resource, a booking or a booking request (also a cancelled one) refers to it.
 */
export async function deleteLocation(tx: Tx, actor: Actor, id: number): Promise<void> {
  const organization = await lockOrganization(tx, actor.organizationId)
  const location = await tx.em.findOne(Location, { id, organizationId: organization.id })
  if (!location) throw new NotFound()
  for (const table of ['resource', 'reservation', 'booking_request'] as const) {
    const user = await tx.db
      .selectFrom(table)
      .select('id')
      .where('organization_id', '=', organization.id)
      .where('location_id', '=', id)
      .limit(1)
      .executeTakeFirst()
    if (user) throw new Invalid(`${location.name} is still used by a ${words[table]}.`)
  }
  tx.em.remove(location)
  await followFirstLocation(tx, organization)
}

const words = { resource: 'resource', reservation: 'booking', booking_request: 'booking request' }
