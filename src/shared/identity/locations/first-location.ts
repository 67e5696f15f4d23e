import type { Tx } from '../../platform/db/transaction.ts'
import type { Organization } from '../organizations/organization.entity.ts'
import { Location } from './location.entity.ts'

/**
 * Sets the organization's zone to that of its first location; without a location the zone stays. Implements interface
 * §Time zones.
 */
export async function followFirstLocation(tx: Tx, organization: Organization): Promise<void> {
  await tx.em.flush()
  const first = await tx.em.findOne(Location, { organizationId: organization.id }, { orderBy: { id: 'asc' } })
  if (first) organization.timeZoneName = first.timeZoneName
}
