import { setAutopay } from '../billing/autopay/set-autopay.ts'
import { notifyOwnersOfOwnMoney } from '../billing/ledger/notify-owners.ts'
import { type PayRateChanges, setPayRates } from '../billing/pay-runs/set-pay-rates.ts'
import { notifyOwnersOfWebhooks } from '../communication/webhooks/write-webhook.ts'
import { type ContactChanges, changeContacts } from '../identity/members/change-contacts.ts'
import { findMember, findOrgUserId } from '../identity/members/member.access.ts'
import { replaceRoles } from '../identity/members/replace-roles.ts'
import { setBillTo } from '../identity/members/set-bill-to.ts'
import { type OrgUserChanges, ratesOf, updateOrgUser } from '../identity/members/update-org-user.ts'
import type { Actor } from '../platform/authz/actor.ts'
import { admins, hasRole, type RoleFlags, roles } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import type { Cents } from '../platform/kernel/units.ts'
import { endOperationsOf } from '../platform/operations/end-operations.ts'
import { dropFiles } from '../platform/operations/operation-file.access.ts'
import { lockMembers } from '../scheduling/reservations/slots.access.ts'
import { endWaitingWithout } from '../scheduling/waitlist/end-waiting.ts'

/**
 * Replaces the roles of a member by the result of `wanted`. When the member is no longer an admin, all owners are mailed a list of the
 * webhooks that the member created, because these stay active. When the member is no longer an owner, the member's exports are deleted.
 * Operations, entries of the waiting list and open offers that the new roles do not allow are ended.
 * Implements interface §Members, PATCH /users/{userId}/roles.
 */
export async function changeRoles(
  tx: Tx,
  actor: Actor,
  of: { id: number } | { accountId: number },
  wanted: (held: RoleFlags) => RoleFlags,
): Promise<void> {
  const { organizationId } = actor
  const id = await findOrgUserId(tx.db, organizationId, of)
  // Bookings and offers of the member wait until the commit, and read the new roles.
  await lockMembers(tx.db, [id])
  const { orgUserId, before, after } = await replaceRoles(tx, actor, of, wanted)
  if (before.owner && !after.owner) await dropFiles(tx, { organizationId, startedBy: orgUserId })
  await endOperationsOf(tx, { organizationId, orgUserId }, after)
  await endWaitingWithout(tx, actor, { organizationId, orgUserId, roles: after })
  if (losesAdmin(before, after)) await notifyOwnersOfWebhooks(tx, { organizationId, orgUserId })
}

/** An admin's changes of a member. Absent fields do not change. */
export interface MemberChanges extends OrgUserChanges, ContactChanges, Partial<RoleFlags> {
  payRates?: PayRateChanges | undefined
  /** The member who is to pay for this member; null: nobody. */
  billToOrgUserId?: number | null | undefined
  autopay?: boolean | undefined
  autopayMaxCents?: Cents | undefined
}

/**
 * Changes a member: roles, billing, rates, pay and grounding; for a member without an account, also name, address and phone
 * number.
 * Implements interface §Members, PATCH /orgUsers/{id}.
 */
export async function updateMember(tx: Tx, actor: Actor, id: number, changes: MemberChanges): Promise<{ id: number }> {
  const member = await findMember(tx, actor.organizationId, { id })
  if (changes.billToOrgUserId !== undefined) await setBillTo(tx, actor, id, changes.billToOrgUserId)
  const given = Object.fromEntries(
    roles.filter((role) => changes[role] !== undefined).map((role) => [role, changes[role]]),
  )
  if (Object.keys(given).length > 0) await changeRoles(tx, actor, { id }, (held) => ({ ...held, ...given }))
  await changeContacts(tx, actor, member, changes)
  await setAutopay(tx, actor, member, changes)
  if (changes.payRates) await setPayRates(tx, actor, member, changes.payRates)
  const before = ratesOf(member)
  await updateOrgUser(tx, actor, id, changes)
  if (id === actor.orgUserId) await notifyOwnTerms(tx, actor, before, ratesOf(member))
  return { id }
}

type Terms = ReturnType<typeof ratesOf>

/** Mails all owners when an admin changes the admin's own tax exemption, billing mode or rates. */
async function notifyOwnTerms(tx: Tx, actor: Actor, before: Terms, after: Terms): Promise<void> {
  const { currency } = actor.organization.settings
  const rates = ['flightRateCents', 'groundRateCents', 'simRateCents'] as const
  const told = [
    ...(before.taxExempt === after.taxExempt ? [] : (['tax_exempt'] as const)),
    ...(before.billingMode === after.billingMode ? [] : (['billing_mode'] as const)),
    ...(rates.every((key) => before[key] === after[key]) ? [] : (['rates'] as const)),
  ]
  for (const what of told) await notifyOwnersOfOwnMoney(tx, actor, { what, currency })
}

/** Returns whether a member could manage webhooks before and cannot after. */
function losesAdmin(before: RoleFlags, after: RoleFlags): boolean {
  return hasRole(before, admins) && !hasRole(after, admins)
}
