import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cause, emit } from '../../platform/events/emit.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { identityErrors } from '../identity.errors.ts'
import type { Membership } from '../members.tables.ts'
import { lockOrganization } from '../organizations/organization.access.ts'
import { assertStillIs, findMember, findMemberIfAny, findPayees, rereadMember } from './member.access.ts'

/** What a bill-to payer consents to besides the invoices. `maxCentsPerMonth`: the limit in cents for what is charged; null: none. */
export interface BillToConsent {
  ledger: boolean
  autopay: boolean
  maxCentsPerMonth: Cents | null
}

const none = { billToAcceptedAt: null, billToLedger: false, billToAutopay: false, billToMaxCents: null }

/**
 * Names the member who is to pay for a member, or ends it with null. Only admins name a payer; the member and the payer may end it. The
 * payer pays from the acceptance on. The organization's lock serializes this with other changes of payers and with removals, so that no
 * payer has a payer.
 * Implements interface §Members, PATCH /orgUsers/{id}.
 */
export async function setBillTo(tx: Tx, actor: Actor, id: number, payerId: number | null): Promise<void> {
  const { organizationId } = actor
  await lockOrganization(tx, organizationId)
  const member = await rereadMember(tx, organizationId, id)
  if (payerId === null) {
    if (![member.id, member.billToId].includes(actor.orgUserId)) await assertStillIs(tx, actor, admins)
    endBillTo(tx, actor, member)
    return
  }
  await assertStillIs(tx, actor, admins)
  if (payerId === member.billToId) return
  if (payerId === id) throw identityErrors.billToOneself()
  const payer = await findMemberIfAny(tx, organizationId, { id: payerId })
  if (!payer) throw identityErrors.unknownMember({ field: 'billToOrgUserId' })
  // An import reads members before it gets the lock.
  await tx.em.refresh(payer)
  if (payer.billToId != null) throw identityErrors.billToHasPayer()
  if ((await findPayees(tx, organizationId, id)).length > 0) throw identityErrors.billToPays()
  change(tx, actor, member, { billToId: payerId, ...none })
}

/**
 * Records that the payer of a member accepts, or accepts other terms. The payer accepts; for a payer without an account an admin does,
 * with the document that the payer signed (`documentId`, which the caller has checked).
 * Implements interface §Members, POST /orgUsers/{id}/billTo/accept.
 */
export async function acceptBillTo(
  tx: Tx,
  actor: Actor,
  id: number,
  { ledger, autopay, maxCentsPerMonth }: BillToConsent,
  documentId: number | null,
): Promise<void> {
  const { organizationId } = actor
  await lockOrganization(tx, organizationId)
  const member = await rereadMember(tx, organizationId, id)
  const payer = await findPayerToAccept(tx, actor, member)
  if (payer.id !== actor.orgUserId && documentId === null) throw identityErrors.billToNeedsPaper()
  const terms = { billToLedger: ledger, billToAutopay: autopay, billToMaxCents: maxCentsPerMonth }
  change(tx, actor, member, { ...terms, billToAcceptedAt: member.billToAcceptedAt ?? tx.now }, documentId)
}

/** Returns the payer for whom the actor may accept: the actor, or for admins a payer without an account. */
export async function findPayerToAccept(tx: Tx, actor: Actor, member: Membership): Promise<Membership> {
  const { billToId = null } = member
  const isPayer = billToId === actor.orgUserId
  if (billToId === null || (!isPayer && !is(actor, admins))) throw platformErrors.noSuchRecord()
  const payer = await findMember(tx, actor.organizationId, { id: billToId })
  if (!isPayer && payer.accountId != null) throw identityErrors.billToIsPayers()
  return payer
}

/**
 * Ends what a member who leaves pays for others, and what others pay for the member: they pay for themselves again. With `mergedInto`
 * the other member is named as the payer, who has to accept; not when that member is the one paid for, or has a payer.
 * Returns the members for whom the leaving member paid.
 */
export async function endBillToOf(
  tx: Tx,
  by: Cause,
  leaving: Membership,
  mergedInto?: Membership,
): Promise<Membership[]> {
  endBillTo(tx, by, leaving)
  const payees = await findPayees(tx, leaving.organizationId, leaving.id)
  for (const member of payees) {
    const next = mergedInto && mergedInto.id !== member.id && mergedInto.billToId == null ? mergedInto.id : null
    change(tx, by, member, { billToId: next, ...none })
  }
  return payees
}

function endBillTo(tx: Tx, by: Cause, member: Membership): void {
  if (member.billToId != null) change(tx, by, member, { billToId: null, ...none })
}

type BillToColumns = 'billToId' | 'billToAcceptedAt' | 'billToLedger' | 'billToAutopay' | 'billToMaxCents'

function change(
  tx: Tx,
  by: Cause,
  member: Membership,
  to: Partial<Pick<Membership, BillToColumns>>,
  documentId: number | null = null,
): void {
  const before = wordsOf(member)
  tx.em.assign(member, to)
  const after = { ...wordsOf(member), ...(documentId !== null && { documentId }) }
  emit(tx, by, { kind: 'member.bill_to_changed', subject: { kind: 'member', id: member.id }, before, after })
}

/** Returns who pays for a member, on which terms, for the audit log. */
function wordsOf(member: Membership) {
  return {
    billToOrgUserId: member.billToId ?? null,
    accepted: member.billToAcceptedAt != null,
    ledger: member.billToLedger ?? false,
    autopay: member.billToAutopay ?? false,
    maxCentsPerMonth: member.billToMaxCents ?? null,
  }
}
