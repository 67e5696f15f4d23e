import { findAccountIfDeleted } from '../identity/accounts/account.access.ts'
import { assertStillIs } from '../identity/members/member.access.ts'
import type { Membership } from '../identity/members.tables.ts'
import { lockOrganization } from '../identity/organizations/organization.access.ts'
import { Invitation, JoinRequest } from '../identity/organizations.tables.ts'
import type { Actor } from '../platform/authz/actor.ts'
import { daysKept } from '../platform/db/declare-table.ts'
import type { KeptFor, ReferenceKind } from '../platform/db/member-columns.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { type Cause, emit } from '../platform/events/emit.ts'
import { dropFiles } from '../platform/operations/operation-file.access.ts'
import { platformErrors } from '../platform/platform.errors.ts'
import { Event } from '../platform/platform.tables.ts'
import { keptUntil } from '../platform/retention/retention.rules.ts'
import { seal } from '../platform/seals/seal.ts'
import { deleteDocumentsOf } from '../qualification/documents/delete-document.ts'
import {
  countReferences,
  deleteReferences,
  emptyObjections,
  type KeptByLaw,
  renameInTexts,
} from './erase-references.access.ts'
import { countMembershipsOf, findFormerMember, findNeedsOf } from './membership.access.ts'
import { workflowsErrors } from './workflows.errors.ts'

/** The reasons for which records are kept, as text for the answer. */
const keptReasons: Readonly<Record<KeptFor | KeptByLaw, string>> = {
  others: 'It is about others too: the people, aircraft and money of the organization.',
  money: 'The books of the organization: issued invoices, the entries of its ledger, and pay runs.',
  training: 'Training records, and texts that were signed or issued (14 CFR 61.189, 141.101).',
  log: 'The audit log keeps who did what, by name, for seven years.',
  citizenship: 'How citizenship was verified, for five years after the last training (49 CFR 1552.15).',
  dates:
    'Dated currencies, such as security awareness training, for one year after the member left (49 CFR 1552.15(b)).',
  proofs:
    'Documents that prove an endorsement, for three years from its signature (14 CFR 61.189(b)), or a dated currency, for ' +
    'one year after the member left (49 CFR 1552.15(b)).',
}

/** The kinds of records that an erasure deleted, and the records that it kept. `until` null: as long as the organization exists. */
export interface Erasure {
  name: string
  erasedAt: Date
  erased: (ReferenceKind | 'contacts')[]
  kept: { kind: ReferenceKind; count: number; reason: string; until: Date | null }[]
}

/**
 * Erases the personal data of a former member. Records about bookings, money and training are kept under the name "Former member N"
 * (N: the orgUserId). The audit log, with the names of that time, and texts that were signed or issued are kept too. The person keeps
 * the account, which is no longer connected with the membership.
 * Implements interface §People, POST /orgUsers/{id}/erase.
 */
export async function eraseMember(tx: Tx, actor: Actor, id: number, reason: string): Promise<Erasure> {
  const { organizationId } = actor
  await lockOrganization(tx, organizationId)
  await assertStillIs(tx, actor, ['owner'])
  const member = await findFormerMember(tx, organizationId, id)
  if (!member) throw platformErrors.noSuchRecord()
  if (member.removedAt == null) throw workflowsErrors.notRemoved()
  if (member.erasedAt != null) throw workflowsErrors.alreadyErased()
  const invoices = await findNeedsOf(tx.db, { organizationId, orgUserId: id })
  if (invoices.length > 0) throw workflowsErrors.stillNeeded({ count: invoices.length }, { invoices })
  const erasure = await erasePerson(tx, actor, member)
  emit(tx, actor, { kind: 'member.erased', subject: { kind: 'member', id }, reason })
  return erasure
}

/** Erases the personal data of a member, for `eraseMember` and after a restore. The caller holds the organization's lock. */
export async function erasePerson(tx: Tx, by: Cause, member: Membership): Promise<Erasure> {
  const { organizationId, id: orgUserId, accountId, searchName, searchEmail, phone } = member
  const of = { organizationId, orgUserId, leftAt: member.removedAt ?? tx.now }
  const name = `Former member ${orgUserId}`
  const { deleted, kept } = await countReferences(tx, of)
  await deleteDocumentsOf(tx, by, of)
  await dropFiles(tx, { organizationId })
  await tx.em.flush()
  const byLaw = await deleteReferences(tx, of)
  await emptyObjections(tx, of)
  const words = [searchName, searchEmail, phone ?? ''].filter((word) => word !== '')
  await renameInTexts(tx, organizationId, words, name)
  if (searchEmail !== '') await tx.em.nativeDelete(Invitation, { organizationId, email: searchEmail })
  if (accountId != null) await untie(tx, { organizationId, accountId }, name)
  tx.em.assign(member, { accountId: null, searchName: name, searchEmail: '', phone: null, externalId: null })
  tx.em.assign(member, { groundedReason: null, groundedFor: null, erasedAt: tx.now })
  await tx.em.flush()
  seal(tx, by, 'member.erased', { id: orgUserId, of: orgUserId })
  return {
    name,
    erasedAt: tx.now,
    erased: ['contacts', ...deleted],
    kept: [
      ...kept.map((records) => ({
        ...records,
        reason: keptReasons[records.reason],
        until: untilOf(tx, records.reason),
      })),
      ...byLaw.map((records) => ({ ...records, reason: keptReasons[records.reason] })),
    ],
  }
}

/** Returns until when records are kept. The audit log: counted from now, as the erasure is its last event about the person. */
function untilOf({ now }: Tx, reason: KeptFor): Date | null {
  return reason === 'log' ? keptUntil(now, daysKept(Event)) : null
}

/** Deletes the account's join requests to the organization. A deleted account is renamed with the erasure of its last membership. */
async function untie(
  tx: Tx,
  { organizationId, accountId }: { organizationId: number; accountId: number },
  name: string,
): Promise<void> {
  await tx.em.nativeDelete(JoinRequest, { organizationId, accountId })
  const account = await findAccountIfDeleted(tx, accountId)
  if (account && (await countMembershipsOf(tx, accountId)) === 1) account.name = name
}
