import { groundResource } from '../../../src/shared/fleet/resources/change-resource.ts'
import { createResource } from '../../../src/shared/fleet/resources/create-resource.ts'
import { hashPassword } from '../../../src/shared/identity/accounts/hash-password.ts'
import { type SignUp, signUp } from '../../../src/shared/identity/joining/sign-up.ts'
import { updateLocation } from '../../../src/shared/identity/locations/write-location.ts'
import { addMember } from '../../../src/shared/identity/members/add-member.ts'
import type { MailTokens } from '../../../src/shared/platform/adapters/tokens/mail-tokens.ts'
import type { Actor } from '../../../src/shared/platform/authz/actor.ts'
import { readSettings } from '../../../src/shared/platform/authz/organization-settings.ts'
import { roleFlags } from '../../../src/shared/platform/authz/roles.ts'
import type { Tx } from '../../../src/shared/platform/db/transaction.ts'
import { createOrganization } from '../../../src/shared/workflows/create-organization.ts'
import { updateMember } from '../../../src/shared/workflows/update-member.ts'
import { type ResourceKey, resources } from './fleet.ts'
import { DEMO_PASSWORD, type PersonKey, people } from './people.ts'
import type { SchoolTransaction } from './school-transaction.ts'

/** The time zone of the airport and of the school. */
export const ZONE = 'America/Los_Angeles'

const settings = {
  invoiceDueDays: 14,
  refundApprovalCents: 50_000,
  flyingDayStartMinute: 6 * 60,
  flyingDayEndMinute: 22 * 60,
  approvalRequired: { student: false, renter: true },
  cancellationFees: [{ underHours: 48, kind: 'flat', cents: 4_000, categories: ['student', 'no_show', 'other'] }],
  taxRates: [{ name: 'Sales tax, Alameda County', basisPoints: 1_025, appliesTo: ['other'] }],
}

/** The school with its people and fleet. */
export interface DemoSchool {
  actors: Record<PersonKey, Actor>
  resourceIds: Record<ResourceKey, number>
}

/** Creates the demo organization, its members and its fleet. */
export async function foundSchool(school: SchoolTransaction, mailTokens: MailTokens, now: Date): Promise<DemoSchool> {
  const keys = Object.keys(people) as PersonKey[]
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const accounts = new Map<PersonKey, number>()
  for (const key of keys) {
    accounts.set(key, await school.at(now, (tx) => openAccount(tx, mailTokens, { ...people[key], passwordHash })))
  }
  const organizationId = await school.at(now, (tx) => createDemoOrganization(tx, accounts.get('olivia')!))
  const entries: [PersonKey, Actor][] = []
  for (const key of keys) {
    entries.push([key, await school.at(now, (tx) => join(tx, organizationId, accounts.get(key)!, key))])
  }
  const actors = Object.fromEntries(entries) as DemoSchool['actors']
  await setRates(school, actors, now)
  return { actors, resourceIds: await addFleet(school, actors, now) }
}

/** Creates an account with a verified address. */
export async function openAccount(tx: Tx, mailTokens: MailTokens, person: SignUp) {
  const { accountId } = await signUp(tx, mailTokens, person)
  // The addresses are not real, so no mail can verify them.
  await tx.db.updateTable('account').set({ email_verified_at: tx.now }).where('id', '=', accountId).execute()
  return accountId
}

async function createDemoOrganization(tx: Tx, founderId: number): Promise<number> {
  const address = { line1: '20301 Skywest Drive', city: 'Hayward', state: 'CA', postalCode: '94541', country: 'US' }
  const { organizationId } = await createOrganization(tx, founderId, {
    name: 'Bay Flight Academy',
    organizationType: 'flight_school',
    about: 'Flight training at Hayward Executive since 1998: private to commercial, on Cessna, Piper and Diamond.',
    showInDirectory: true,
    private: false,
    details: { email: 'desk@bayflight.example', phone: '+1 510 555 0100', address },
    location: { name: 'Hayward Executive', airportIdentifier: 'KHWD', timeZoneName: ZONE, address },
  })
  if (organizationId === null) throw new Error('the founder is in no organization')
  await tx.em.flush()
  await tx.db
    .updateTable('organization')
    .set({ demo: true, settings: JSON.stringify(settings) as never })
    .where('id', '=', organizationId)
    .execute()
  return organizationId
}

/** Adds a member with the roles of this person; the founder is a member already. Returns the actor. */
async function join(tx: Tx, organizationId: number, accountId: number, key: PersonKey): Promise<Actor> {
  const { name, roles: names } = people[key]
  const roles = roleFlags(Object.fromEntries(names.map((role) => [role, true])))
  await addMember(tx, organizationId, accountId, roles)
  const { id } = await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return {
    accountId,
    orgUserId: id,
    organizationId,
    name,
    emailVerified: true,
    roles,
    organization: { name: 'Bay Flight Academy', demo: true, timeZoneName: ZONE, settings: readSettings(settings) },
  }
}

async function setRates(school: SchoolTransaction, actors: DemoSchool['actors'], now: Date): Promise<void> {
  for (const key of ['ivan', 'isabel'] as const) {
    const { rates: instructionRates, pay: payRates } = people[key]
    await school.at(now, (tx) => updateMember(tx, actors.adam, actors[key].orgUserId, { instructionRates, payRates }))
  }
}

async function addFleet(
  school: SchoolTransaction,
  actors: DemoSchool['actors'],
  now: Date,
): Promise<DemoSchool['resourceIds']> {
  const { organizationId } = actors.adam
  const location = await school.at(now, (tx) =>
    tx.db.selectFrom('location').select('id').where('organization_id', '=', organizationId).executeTakeFirstOrThrow(),
  )
  const coordinates = { latitude: 37.659, longitude: -122.122 }
  await school.at(now, (tx) => updateLocation(tx, actors.adam, location.id, { coordinates }))
  const ids: [string, number][] = []
  for (const [name, { groundedReason, ...resource }] of Object.entries(resources)) {
    const isPlane = 'plane' in resource.type
    const { id } = await school.at(now, (tx) =>
      createResource(tx, actors.adam, { name, location, ...resource, ...(isPlane && { tailNumber: name }) }),
    )
    if (groundedReason) {
      await school.at(now, (tx) => groundResource(tx, actors.tom, id, { grounded: true, reason: groundedReason }))
    }
    ids.push([name, id])
  }
  return Object.fromEntries(ids) as DemoSchool['resourceIds']
}
