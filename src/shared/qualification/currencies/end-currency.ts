import { findMember } from '../../identity/members/member.access.ts'
import { findInstructorCertificate } from '../../identity/profiles/profile.queries.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { wallToInstant } from '../../platform/kernel/zones.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import type { Currency } from '../qualification.tables.ts'
import { isOwnInstructorOf, loadCurrency, lockRecord } from './currency.access.ts'
import { type EndReason, isEndable } from './currency.rules.ts'
import { assertEndsOn } from './ended.rules.ts'

/** A currency of a member. */
export interface CurrencyOfMember {
  orgUserId: number
  currencyId: number
}

/** The end of a member's currency: its local day, and why it ended. */
export interface CurrencyEnding extends CurrencyOfMember {
  on: string
  because: EndReason
  note?: string | null | undefined
}

/**
 * Ends a member's currency before its recorded end, such as a medical that is denied or suspended. The member, admins and the
 * member's own instructors do so, but not one whom the member has left for another. The event has neither the reason nor the note. Implements interface §Currencies.
 */
export async function endCurrency(
  tx: Tx,
  actor: Actor,
  { orgUserId, currencyId, on, because, note = null }: CurrencyEnding,
): Promise<CurrencyOfMember> {
  await findMember(tx, actor.organizationId, { id: orgUserId })
  const rule = await loadCurrency(tx, actor, currencyId)
  const mayEnd = orgUserId === actor.orgUserId || is(actor, admins) || (await isOwnInstructorOf(tx, actor, orgUserId))
  if (!mayEnd) throw qualificationErrors.endOfOthers()
  if (!isEndable(rule.kind)) throw qualificationErrors.computed({ currency: rule.name })
  const record =
    (await lockRecord(tx, actor, { orgUserId, currencyId })) ?? (await ofProfile(tx, actor, rule, { orgUserId, on }))
  if (!record) throw qualificationErrors.nothingToEnd()
  if (record.endedOn != null) throw qualificationErrors.alreadyEnded({ date: record.endedOn })
  const zone = actor.organization.timeZoneName
  // A certificate of the profile alone that was resumed can be ended on an earlier day than before.
  const isOfProfile = rule.kind === 'instructor_certificate' && record.expiresAt === null
  const completedAt = isOfProfile ? wallToInstant(on, 0, zone) : record.completedAt
  assertEndsOn(on, completedAt, tx.now, zone)
  await tx.db
    .updateTable('currency_record')
    .set({
      completed_at: completedAt,
      ended_on: on,
      ended_because: because,
      ended_note: note,
      ended_by: actor.orgUserId,
    })
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', record.id)
    .execute()
  emitEnded(tx, actor, { orgUserId, currencyId, on })
  return { orgUserId, currencyId }
}

/**
 * Returns a new record, locked, of an instructor certificate that stands in the member's verified profile alone; undefined for another
 * currency. It has no end of its own, so it renews nothing.
 */
async function ofProfile(
  tx: Tx,
  actor: Actor,
  { id: currencyId, kind }: Currency,
  { orgUserId, on }: { orgUserId: number; on: string },
) {
  if (kind !== 'instructor_certificate') return undefined
  const { organizationId, organization } = actor
  const { verified } = await findInstructorCertificate(tx.db, organizationId, orgUserId)
  if (!verified) return undefined
  const completedAt = wallToInstant(on, 0, organization.timeZoneName)
  const of = { organization_id: organizationId, currency_id: currencyId, membership_id: orgUserId }
  await tx.db
    .insertInto('currency_record')
    .values({ ...of, completed_at: completedAt, recorded_by: actor.orgUserId })
    .onConflict((conflict) => conflict.columns(['organization_id', 'currency_id', 'membership_id']).doNothing())
    .execute()
  return lockRecord(tx, actor, { orgUserId, currencyId })
}

/**
 * Ends the end of a member's currency, so that its recorded dates count again. Admins do so, but not for themselves.
 * Implements interface §Currencies.
 */
export async function resumeCurrency(tx: Tx, actor: Actor, of: CurrencyOfMember): Promise<CurrencyOfMember> {
  const { orgUserId, currencyId } = of
  await findMember(tx, actor.organizationId, { id: orgUserId })
  await loadCurrency(tx, actor, currencyId)
  if (orgUserId === actor.orgUserId) throw qualificationErrors.resumedByOthers()
  const record = await lockRecord(tx, actor, of)
  if (record?.endedOn == null) throw qualificationErrors.notEnded()
  await tx.db
    .updateTable('currency_record')
    .set(notEnded)
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', record.id)
    .execute()
  emitResumed(tx, actor, of)
  return of
}

/** The columns of dates that count until their recorded end. */
export const notEnded = { ended_on: null, ended_because: null, ended_note: null, ended_by: null }

/** Emits the event that a member's currency has ended before its recorded end. */
export function emitEnded(
  tx: Tx,
  actor: Actor,
  { orgUserId, currencyId, on }: CurrencyOfMember & { on: string },
): void {
  emit(tx, actor, { kind: 'currency.ended', subject: { kind: 'member', id: orgUserId }, after: { currencyId, on } })
}

/** Emits the event that a member's ended currency has begun again. */
export function emitResumed(tx: Tx, actor: Actor, { orgUserId, currencyId }: CurrencyOfMember): void {
  emit(tx, actor, { kind: 'currency.resumed', subject: { kind: 'member', id: orgUserId }, after: { currencyId } })
}
