import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { lockOrganization } from '../organizations/organization.access.ts'
import { selectLocations } from '../organizations/organization.queries.ts'
import { type Address, Location, type Organization } from '../organizations.tables.ts'
import { assertIsNotUsed, loadLocation } from './location.access.ts'

export interface NewLocation {
  name: string
  airportIdentifier?: string | null | undefined
  /** Defaults to the organization's zone. */
  timeZoneName?: string | undefined
  address?: Address | undefined
  coordinates?: Coordinates | null | undefined
  /** The key of the location in the school's own system. Imports find the location by this key. */
  externalId?: string | undefined
}

/** A position in degrees north (latitude) and east (longitude). */
interface Coordinates {
  latitude: number
  longitude: number
}

/**
 * Adds a location. The first location determines the organization's zone.
 * Implements interface §Locations, POST /locations.
 */
export async function createLocation(tx: Tx, actor: Actor, input: NewLocation): Promise<{ id: number }> {
  const organization = await lockOrganization(tx, actor.organizationId)
  const location = tx.em.create(Location, {
    organizationId: organization.id,
    name: input.name,
    airportIdentifier: input.airportIdentifier ?? null,
    timeZoneName: input.timeZoneName ?? organization.timeZoneName,
    address: input.address ?? {},
    latitude: input.coordinates?.latitude ?? null,
    longitude: input.coordinates?.longitude ?? null,
    externalId: input.externalId ?? null,
  })
  await syncZoneWithFirstLocation(tx, organization)
  return { id: location.id }
}

export interface LocationChanges {
  name?: string | undefined
  airportIdentifier?: string | null | undefined
  timeZoneName?: string | undefined
  address?: Address | undefined
  coordinates?: Coordinates | null | undefined
  externalId?: string | undefined
}

/**
 * Changes the given fields; an address replaces the whole address. The zone of the first location becomes the
 * organization's.
 * Implements interface §Locations, PATCH /locations/{id}.
 */
export async function updateLocation(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: LocationChanges,
): Promise<{ id: number }> {
  const organization = await lockOrganization(tx, actor.organizationId)
  const location = await loadLocation(tx, organization.id, id)
  location.name = changes.name ?? location.name
  location.timeZoneName = changes.timeZoneName ?? location.timeZoneName
  location.address = changes.address ?? location.address
  if (changes.coordinates !== undefined) {
    location.latitude = changes.coordinates?.latitude ?? null
    location.longitude = changes.coordinates?.longitude ?? null
  }
  location.externalId = changes.externalId ?? location.externalId
  if (changes.airportIdentifier !== undefined) location.airportIdentifier = changes.airportIdentifier
  await syncZoneWithFirstLocation(tx, organization)
  return { id }
}

/**
 * Deletes a location that nothing refers to. The zone of the first remaining location becomes the organization's.
 * Implements interface §Locations, DELETE /locations/{id}.
 */
export async function deleteLocation(tx: Tx, actor: Actor, id: number): Promise<void> {
  const organization = await lockOrganization(tx, actor.organizationId)
  const location = await loadLocation(tx, organization.id, id)
  await assertIsNotUsed(tx, location)
  tx.em.remove(location)
  await syncZoneWithFirstLocation(tx, organization)
}

/**
 * Sets the organization's zone to that of its first location; without a location the zone stays.
 * Implements interface §Time zones.
 */
async function syncZoneWithFirstLocation(tx: Tx, organization: Organization): Promise<void> {
  await tx.em.flush()
  const first = await selectLocations(tx.db, [organization.id]).limit(1).executeTakeFirst()
  if (first) organization.timeZoneName = first.time_zone_name
}
