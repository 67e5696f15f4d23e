import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { lockOrganization } from '../organizations/lock-organization.ts'
import type { Address } from '../organizations/organization.entity.ts'
import { followFirstLocation } from './first-location.ts'
import { Location } from './location.entity.ts'

export interface NewLocation {
  name: string
  airportIdentifier?: string | null | undefined
  /** Defaults to the organization's zone. */
  timeZoneName?: string | undefined
  address?: Address | undefined
}

/** Adds a location. The first location determines the organization's zone. */
export async function createLocation(tx: Tx, actor: Actor, input: NewLocation): Promise<{ id: number }> {
  const organization = await lockOrganization(tx, actor.organizationId)
  const location = tx.em.create(Location, {
    organizationId: organization.id,
    name: input.name,
    airportIdentifier: input.airportIdentifier ?? null,
    timeZoneName: input.timeZoneName ?? organization.timeZoneName,
    address: input.address ?? {},
  })
  await followFirstLocation(tx, organization)
  return { id: location.id }
}
