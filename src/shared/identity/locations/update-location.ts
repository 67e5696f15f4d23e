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
 * Changes the given fields; an address replaces the whole address. The organization follows the zone of its first
 * location.
 * @throws NotFound when the organization has no such location.
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
