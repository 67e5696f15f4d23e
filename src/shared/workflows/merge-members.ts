import { endCards } from '../billing/autopay/set-autopay.ts'
import { unbillOneself } from '../billing/invoices/change-invoice.ts'
import { notifyAnew } from '../billing/invoices/charge-notice.access.ts'
import { identityErrors } from '../identity/identity.errors.ts'
import { endClaims } from '../identity/members/change-contacts.ts'
import { endMembership } from '../identity/members/end-membership.ts'
import { findAccountOfMember } from '../identity/members/managed-member.queries.ts'
import { assertStillIs, findMember, findMemberIfAny, lockManagedMember } from '../identity/members/member.access.ts'
import type { Membership } from '../identity/members.tables.ts'
import { lockOrganization } from '../identity/organizations/organization.access.ts'
import type { Actor } from '../platform/authz/actor.ts'
import { admins, hasRole, roles, rolesOf } from '../platform/authz/roles.ts'
import type { ReferenceKind } from '../platform/db/member-columns.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import type { Sentence } from '../platform/kernel/errors.ts'
import { seal } from '../platform/seals/seal.ts'
import { deleteDocumentsOf } from '../qualification/documents/delete-document.ts'
import { lockMembers } from '../scheduling/reservations/slots.access.ts'
import { withdrawDoubles } from '../scheduling/waitlist/end-waiting.ts'
import { deleteReferences } from './erase-references.access.ts'
import { findFormerMember, findMergedInto } from './membership.access.ts'
import { findMergeConflicts, type MergeConflict } from './merge-conflicts.queries.ts'
import type { MergePart } from './merge-references.access.ts'
import { findMoved, type Merge, type MovedIds, moveReferences } from './merge-references.access.ts'
import { workflowsErrors } from './workflows.errors.ts'
import { eraseLeftDocuments } from './workflows.jobs.ts'

/** The records that a merge moved, or would move, and the conflicts that prevent it. `id`: the member who gets the records. */
export interface MergeOutcome {
  id: number
  moved: { kind: ReferenceKind; count: number }[]
  conflicts: MergeConflict[]
  /** The members who pay for themselves again. */
  warnings?: Sentence[]
}

/** How long a member can accept the personal records (`papers`) of a member who was merged into them. */
const CONSENT_MS = 7 * 86_400_000

/**
 * Merges a managed member into another member: bookings, money and personal records (`papers`) move, roles are united except owner and
 * admin, and the managed member is removed. When the other member has an account, personal records move only if the account's verified
 * address is that of the managed member. Otherwise they stay until the person accepts them with `acceptMerge`, or until a job erases
 * them after seven days; records that only concern the future, such as approvals and groups, then end with the managed member, and an
 * admin must add them again.
 * Implements interface §People, POST /orgUsers/{id}/merge.
 */
export async function mergeMembers(
  tx: Tx,
  actor: Actor,
  id: number,
  { intoOrgUserId, dryRun }: { intoOrgUserId: number; dryRun: boolean },
): Promise<MergeOutcome> {
  const { organizationId } = actor
  const merge = { organizationId, from: id, into: intoOrgUserId }
  await lockMembers(tx.db, [id, intoOrgUserId])
  await lockOrganization(tx, organizationId)
  await assertStillIs(tx, actor, admins)
  // A claim locks its invitation and then the membership. The locks here are taken in the same order.
  if (!dryRun) await endClaims(tx, { organizationId, id })
  const source = await lockManagedMember(tx, organizationId, id)
  if (!source) {
    await findMember(tx, organizationId, { id })
    throw workflowsErrors.mergesManaged()
  }
  const target = await findMemberIfAny(tx, organizationId, { id: intoOrgUserId })
  if (!target || id === intoOrgUserId) throw identityErrors.unknownMember({ field: 'intoOrgUserId' })
  const parts: MergePart[] = [
    'bookings',
    'money',
    ...((await isOnePerson(tx, source, target)) ? ['papers' as const] : []),
  ]
  const outcome = await judge(tx, merge, parts)
  if (dryRun) return outcome.answer
  assertDoesNotConflict(outcome.answer)
  // Must run before the rows with the gateway's customer ids are deleted.
  await endCards(tx, source)
  await notifyAnew(tx, { organizationId, orgUserId: source.id })
  await withdrawDoubles(tx, actor, merge)
  await unbillOneself(tx, merge)
  await moveReferences(tx, merge, parts)
  const payees = await endMembership(tx, source, { by: actor, mergedInto: target })
  tx.em.assign(source, { mergedInto: target.id, mergedAt: tx.now })
  if (!parts.includes('papers')) {
    const availableAt = new Date(tx.now.getTime() + CONSENT_MS)
    tx.enqueue(eraseLeftDocuments, { organizationId, orgUserId: source.id }, { availableAt })
  }
  await tx.em.flush()
  const before = rolesOf(target)
  unite(source, target)
  const after = rolesOf(target)
  if (after.length > before.length) {
    const subject = { kind: 'member', id: target.id } as const
    emit(tx, actor, { kind: 'member.roles_changed', subject, before: { roles: before }, after: { roles: after } })
  }
  recordMerge(tx, actor, merge, outcome.ids)
  return { ...outcome.answer, warnings: payees.map((payee) => payerGone(payee, target)) }
}

/**
 * Moves the personal records (`papers`) of a member who was merged into the actor within the last seven days: profile, documents,
 * training, endorsements, currencies.
 * Implements interface §People, POST /orgUsers/{id}/merge/accept.
 */
export async function acceptMerge(tx: Tx, actor: Actor, id: number): Promise<MergeOutcome> {
  const { organizationId, orgUserId } = actor
  await lockOrganization(tx, organizationId)
  const source = await findMergedInto(tx, actor, id, new Date(tx.now.getTime() - CONSENT_MS))
  const merge = { organizationId, from: source.id, into: orgUserId }
  const { answer, ids } = await judge(tx, merge, ['papers'])
  assertDoesNotConflict({ ...answer, conflicts: answer.conflicts.filter(({ kind }) => kind !== 'booking') })
  await moveReferences(tx, merge, ['papers'])
  recordMerge(tx, actor, merge, ids)
  return { ...answer, conflicts: [] }
}

/** Erases the personal records of a merged member that were not accepted in time. Training records are kept, as at an erasure. */
export async function eraseDocuments(tx: Tx, of: { organizationId: number; orgUserId: number }): Promise<void> {
  await lockOrganization(tx, of.organizationId)
  const source = await findFormerMember(tx, of.organizationId, of.orgUserId)
  if (source?.mergedAt == null) return
  await deleteDocumentsOf(tx, { ...of, orgUserId: null }, { ...of, leftAt: source.mergedAt })
  await tx.em.flush()
  await deleteReferences(tx, { ...of, leftAt: source.mergedAt }, ['papers'])
}

async function judge(
  tx: Tx,
  merge: Merge,
  parts: readonly MergePart[],
): Promise<{ answer: MergeOutcome; ids: MovedIds }> {
  const ids = await findMoved(tx, merge, parts)
  const moved = Object.entries(ids).map(([kind, all]) => ({ kind: kind as ReferenceKind, count: all.length }))
  return { answer: { id: merge.into, moved, conflicts: await findMergeConflicts(tx.db, merge, parts) }, ids }
}

function assertDoesNotConflict({ moved, conflicts }: MergeOutcome): void {
  if (conflicts.length === 0) return
  throw workflowsErrors.mergeConflict({ count: conflicts.length }, { moved, conflicts })
}

/** Returns that a member pays again, and who has to accept to pay for them. */
function payerGone(
  { searchName: member = '', billToId }: Membership,
  { id, searchName: payer = '' }: Membership,
): Sentence {
  return billToId === id ? workflowsErrors.payerToAccept({ member, payer }) : workflowsErrors.payerGone({ member })
}

/** Returns whether the target has no account, or has an account whose verified address is that of the managed member. */
async function isOnePerson(tx: Tx, source: Membership, target: Membership): Promise<boolean> {
  if (target.accountId == null) return true
  const account = await findAccountOfMember(tx.db, target.organizationId, target.id)
  return account?.verified === true && source.searchEmail !== '' && account.email === source.searchEmail
}

/**
 * Adds the managed member's roles, except owner and admin, to the target. Copies the external id when the target has none; for a target
 * without an account, also a missing address and phone number.
 */
function unite(source: Membership, target: Membership): void {
  for (const role of roles) if (source[role] && !hasRole({ [role]: true }, admins)) target[role] = true
  target.externalId ??= source.externalId ?? null
  if (target.accountId != null) return
  if (target.searchEmail === '') target.searchEmail = source.searchEmail
  target.phone ??= source.phone ?? null
}

function recordMerge(tx: Tx, actor: Actor, { from, into }: Merge, moved: MovedIds): void {
  const subject = { kind: 'member', id: into } as const
  seal(tx, actor, 'member.merged', { id: into, of: from })
  emit(tx, actor, { kind: 'member.merged', subject, after: { fromOrgUserId: from, moved } })
}
