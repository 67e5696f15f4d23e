import { activateMembership } from '../accounts/activate-membership.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import { roleFlags } from '../authz/roles.ts'
import { addDefaultCurrencies } from '../currencies/add-default-currencies.ts'
import type { Tx } from '../db/transaction.ts'
import { TooManyRequests } from '../kernel/errors.ts'
import { Location } from '../locations/location.entity.ts'
import { addMember } from '../members/add-member.ts'
import { Membership } from '../members/membership.entity.ts'
import { drawJoinCode } from './join-code.ts'
import { type Address, Organization, type OrganizationDetails, type organizationTypes } from './organization.entity.ts'

export interface NewOrganization {
  name: string
  organizationType: (typeof organizationTypes)[number]
  about?: string | null | undefined
  showInDirectory: boolean
  private: boolean
  details: OrganizationDetails
  location: { name: string; address: Address; timeZoneName: string; airportIdentifier?: string | null | undefined }
}

/** So many organizations one account may own. */
export const MOST_ORGANIZATIONS = 50
const DAY_S = 86_400

/**
 * Founds an organization with its first location, whose zone is the organization's. The founder becomes owner and
 * admin, and the organization their active one.
 * @throws TooManyRequests when the account owns `most` organizations.
 */
export async function createOrganization(
  tx: Tx,
  accountId: number,
  input: NewOrganization,
  most: number = MOST_ORGANIZATIONS,
): Promise<SignedIn> {
  await mustNotOwnTooMany(tx, accountId, most)
  const { location, ...organization } = input
  const founded = tx.em.create(Organization, {
    ...organization,
    about: organization.about ?? null,
    timeZoneName: location.timeZoneName,
    code: drawJoinCode(),
    settings: {},
  })
  await tx.em.flush()
  tx.em.create(Location, {
    ...location,
    airportIdentifier: location.airportIdentifier ?? null,
    organizationId: founded.id,
  })
  addDefaultCurrencies(tx, founded.id)
  const membership = await addMember(tx, founded.id, accountId, roleFlags({ owner: true, admin: true }))
  if (!membership) throw new Error('a new organization has no members')
  return activateMembership(tx, membership)
}

/** Behind the account's lock: two organizations founded at once count one another. */
async function mustNotOwnTooMany(tx: Tx, accountId: number, most: number): Promise<void> {
  await lockAccount(tx, { id: accountId })
  const owned = await tx.em.count(Membership, { accountId, owner: true, removedAt: null })
  if (owned < most) return
  throw new TooManyRequests(DAY_S, `You own ${owned} organizations. Please hand over or delete one first.`)
}
