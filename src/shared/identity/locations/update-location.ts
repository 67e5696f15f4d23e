import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { lockOrganization } from '../organizations/lock-organization.ts'
import type { Address } from '../organizations/organization.entity.ts'
import { followFirstLocation } from './first-location.ts'
import { Location } from './location.entity.ts'

export interface LocationChanges {
  name?: string | undefined
  airportIdentifier?: string | null | undefined
  timeZoneName?: string | undefined
  address?: Address | undefined
}

/**
 * Changes what is given; an address replaces the whole one. The zone of the first location is the organization's.
 * @throws NotFound
 */
export async function updateLocation(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: LocationChanges,
): Promise<{ id: number }> {
  const organization = await lockOrganization(tx, actor.organizationId)
  const location = await tx.em.findOne(Location, { id, organizationId: organization.id })
  if (!location) throw new NotFound()
  location.name = changes.name ?? location.name
  location.timeZoneName = changes.timeZoneName ?? location.timeZoneName
  location.address = changes.address ?? location.address
  if (changes.airportIdentifier !== undefined) location.airportIdentifier = changes.airportIdentifier
  await followFirstLocation(tx, organization)
  return { id }
}
