import type { Tx } from '../../platform/db/transaction.ts'
import type { Organization } from '../organizations/organization.entity.ts'
import { Location } from './location.entity.ts'

/** An organization keeps the zone of its first location; without any it keeps the zone it had. */
export async function followFirstLocation(tx: Tx, organization: Organization): Promise<void> {
  await tx.em.flush()
  const first = await tx.em.findOne(Location, { organizationId: organization.id }, { orderBy: { id: 'asc' } })
  if (first) organization.timeZoneName = first.timeZoneName
}
