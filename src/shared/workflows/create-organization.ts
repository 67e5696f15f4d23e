import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { endAllCards } from '../billing/autopay/set-autopay.ts'
import { closeAllAtGateway } from '../billing/invoices/close-all-at-gateway.ts'
import { activateMembership, lockAccount } from '../identity/accounts/account.access.ts'
import type { SignedIn } from '../identity/accounts/sign-in.ts'
import { addMember } from '../identity/members/add-member.ts'
import { findOwnerAccounts } from '../identity/members/user.queries.ts'
import { lockOrganization } from '../identity/organizations/organization.access.ts'
import { clearQueues, mailOrganizationDeleted } from '../identity/organizations/organizations.jobs.ts'
import {
  type Address,
  Location,
  Organization,
  type OrganizationDetails,
  type organizationTypes,
} from '../identity/organizations.tables.ts'
import type { Actor } from '../platform/authz/actor.ts'
import { roleFlags } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { dropEverythingOf } from '../platform/storage/uploads.ts'
import { addDefaultCurrencies } from '../qualification/currencies/add-default-currencies.ts'
import { countOwned } from './membership.access.ts'
import { workflowsErrors } from './workflows.errors.ts'

export interface NewOrganization {
  name: string
  organizationType: (typeof organizationTypes)[number]
  about?: string | null | undefined
  showInDirectory: boolean
  private: boolean
  details: OrganizationDetails
  location: { name: string; address: Address; timeZoneName: string; airportIdentifier?: string | null | undefined }
}

/** The most organizations that one account may own. */
export const MOST_ORGANIZATIONS = 50
const DAY_S = 86_400

/**
 * Creates an organization with its first location, which determines its zone. The account becomes owner and admin, and the organization
 * becomes the account's active one. Returns the claims of the token to issue.
 * Implements interface §Organizations, POST /organizations.
 */
export async function createOrganization(
  tx: Tx,
  accountId: number,
  input: NewOrganization,
  most: number = MOST_ORGANIZATIONS,
): Promise<SignedIn> {
  await assertDoesNotOwnTooMany(tx, accountId, most)
  const { location, ...organization } = input
  const created = tx.em.create(Organization, {
    ...organization,
    about: organization.about ?? null,
    timeZoneName: location.timeZoneName,
    code: drawJoinCode(),
    settings: { overridesNeedPaper: true },
  })
  await tx.em.flush()
  tx.em.create(Location, {
    ...location,
    airportIdentifier: location.airportIdentifier ?? null,
    organizationId: created.id,
  })
  addDefaultCurrencies(tx, created.id)
  const membership = await addMember(tx, created.id, accountId, roleFlags({ owner: true, admin: true }))
  if (!membership) throw new Error('a new organization has no members')
  return activateMembership(tx, accountId, membership)
}

/** Checks that the account may own one more organization. Locks the account, so that concurrent creations count each other. */
async function assertDoesNotOwnTooMany(tx: Tx, accountId: number, most: number): Promise<void> {
  await lockAccount(tx, { id: accountId })
  const owned = await countOwned(tx, accountId)
  if (owned < most) return
  throw workflowsErrors.tooManyOrganizations({ retryAfterSeconds: DAY_S, owned })
}

/** Letters and digits that people do not confuse with one another. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const LENGTH = 6

/**
 * Returns a random join code of six characters. A unique constraint rejects a code that is taken; the transaction then
 * runs again.
 * Implements interface §User and organization.
 */
function drawJoinCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/**
 * Deletes the organization with every record in it, outbox entries and idempotency keys included. Jobs delete its stored files and
 * queued jobs, close its payable invoices at the payment gateway, and detach its members' cards there. The accounts of its members
 * remain; its owners are mailed, unless it is a demo. For operators, a row remains with who deleted it, when, its name and its record
 * counts.
 * Implements interface §Organizations, DELETE /organizations.
 */
export async function deleteOrganization(tx: Tx, actor: Pick<Actor, 'organizationId' | 'accountId'>): Promise<void> {
  const { id, name, demo } = await lockOrganization(tx, actor.organizationId)
  if (!demo) {
    const told = { byAccountId: actor.accountId, organization: name, at: tx.now.toISOString() }
    for (const accountId of await findOwnerAccounts(tx.db, id))
      tx.enqueue(mailOrganizationDeleted, { accountId, ...told })
  }
  await closeAllAtGateway(tx, id)
  await endAllCards(tx, id)
  await tx.db.deleteFrom('idempotency_key').where('organization_id', '=', id).execute()
  await noteDeletion(tx, actor)
  await tx.em.nativeDelete(Organization, { id })
  dropEverythingOf(tx, id)
  tx.enqueue(clearQueues, { deletedOrganizationId: id })
}

async function noteDeletion(
  tx: Tx,
  { organizationId: id, accountId }: Pick<Actor, 'organizationId' | 'accountId'>,
): Promise<void> {
  await sql`
    insert into deleted_organization (id, name, created_at, deleted_at, deleted_by, members, resources, bookings, invoices)
    select o.id, o.name, o.created_at, ${tx.now}, ${accountId},
      (select count(*) from membership t where t.organization_id = ${id} and t.removed_at is null),
      (select count(*) from resource t where t.organization_id = ${id}),
      (select count(*) from reservation t where t.organization_id = ${id}),
      (select count(*) from invoice t where t.organization_id = ${id})
    from organization o where o.id = ${id}`.execute(tx.db)
}
