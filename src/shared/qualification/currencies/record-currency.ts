import { notify } from '../../communication/notifications/notify.ts'
import { findMember } from '../../identity/members/member.access.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { holdsDeskGrant } from '../../platform/authz/desk-grant.queries.ts'
import { admins, roleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { endOfDay, localDate } from '../../platform/kernel/zones.ts'
import { assertIsDocumentOf, assertIsPaperOf } from '../documents/document.access.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import type { Currency } from '../qualification.tables.ts'
import { hasOtherStaff, isVerifiedDocument, loadCurrency, lockRecord } from './currency.access.ts'
import { findCurrencyStates } from './currency-state.queries.ts'
import { emitEnded, emitResumed, notEnded } from './end-currency.ts'
import { assertHasEnded, beginsAgain } from './ended.rules.ts'
import { type GivenDates, type NewRecord, recordedDates } from './new-record.rules.ts'
import { renewedInstructorEnd } from './review.rules.ts'

export interface RecordCurrency extends GivenDates {
  orgUserId: number
  currencyId: number
  /** The member's document that proves it. */
  documentId?: number | null | undefined
  /** For imports: the local day on which a currency that can be ended was lost before its recorded end. */
  endedOn?: string | undefined
}

/**
 * Records the dates of a member's currency and replaces earlier ones. The end of a regulated currency is computed; a
 * currency that is counted from flights has no recorded dates. Implements interface §Currencies.
 */
export async function recordCurrency(
  tx: Tx,
  actor: Actor,
  input: RecordCurrency,
): Promise<{ id: number; orgUserId: number; currencyId: number }> {
  const { organizationId } = actor
  const { orgUserId, currencyId, documentId = null } = input
  const member = await findMember(tx, organizationId, { id: orgUserId })
  const rule = await loadCurrency(tx, actor, currencyId)
  const zone = actor.organization.timeZoneName
  const dates = recordedDates(rule, input, tx.now, zone)
  if (documentId !== null) await assertIsDocumentOf(tx, { organizationId, orgUserId }, documentId)
  if (orgUserId === actor.orgUserId) await assertIsProven(tx, actor, rule, documentId)
  else await assertRegistrarNames(tx, actor, rule, { orgUserId, documentId })
  const ended = await endAfter(tx, actor, rule, { ...input, documentId, completedAt: dates.completedAt })
  // An end on the very day of the record is of a certificate that stood in the profile alone: it renews nothing.
  const isOfProfile = input.endedOn === localDate(dates.completedAt, zone)
  if (rule.kind === 'instructor_certificate' && !isOfProfile) {
    dates.expiresAt = await renewedEnd(tx, actor, { id: orgUserId, ...roleFlags(member) }, currencyId, dates)
  }
  const columns = {
    completed_at: dates.completedAt,
    expires_at: dates.expiresAt,
    medical_class: dates.medicalClass,
    course_at: dates.courseAt,
    document_id: documentId,
    recorded_by: actor.orgUserId,
    ...ended,
  }
  const { id } = await tx.db
    .insertInto('currency_record')
    .values({ organization_id: organizationId, currency_id: currencyId, membership_id: orgUserId, ...columns })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'currency_id', 'membership_id']).doUpdateSet(columns),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  if (orgUserId === actor.orgUserId) {
    notify(tx, { organizationId, kind: 'currency_self_recorded', subjectId: id, causedBy: orgUserId })
  }
  return { id, orgUserId, currencyId }
}

/**
 * Returns the columns of the end of a currency after new dates are recorded; none when the end stays. An ended currency takes new dates
 * when a verified document proves them and somebody else than who ended it records them: they count once an admin resumes it, and it
 * begins again by itself with dates after its end. The only staff member needs neither for themselves, because nobody else could help.
 * Implements interface §Currencies.
 */
async function endAfter(
  tx: Tx,
  actor: Actor,
  rule: Currency,
  { completedAt, documentId, endedOn, ...of }: RecordCurrency & { completedAt: Date; documentId: number | null },
) {
  const zone = actor.organization.timeZoneName
  const stored = await lockRecord(tx, actor, of)
  if (endedOn !== undefined) {
    assertHasEnded('endedOn', endedOn, completedAt, tx.now, zone)
    if (stored?.endedOn === endedOn) return {}
    emitEnded(tx, actor, { ...of, on: endedOn })
    return { ...notEnded, ended_on: endedOn, ended_by: actor.orgUserId }
  }
  if (stored?.endedOn == null) return {}
  const alone = of.orgUserId === actor.orgUserId && !(await hasOtherStaff(tx, actor))
  if (!alone) {
    if (stored.endedBy === actor.orgUserId) throw qualificationErrors.recordedByEnder()
    const isProven = documentId !== null && (await isVerifiedDocument(tx, actor, rule, documentId))
    if (!isProven) throw qualificationErrors.provenAfterEnd()
  }
  if (!beginsAgain(completedAt, stored.endedOn, zone)) return {}
  emitResumed(tx, actor, of)
  return notEnded
}

/** Checks that a registrar who records the medical or the flight review of another member names the paper of it, whose file has arrived. */
async function assertRegistrarNames(
  tx: Tx,
  actor: Actor,
  { kind }: Currency,
  { orgUserId, documentId }: { orgUserId: number; documentId: number | null },
): Promise<void> {
  if ((kind !== 'medical' && kind !== 'flight_review') || is(actor, admins)) return
  if (!(await holdsDeskGrant(tx.db, actor, 'registrar'))) return
  if (documentId === null) throw qualificationErrors.provenByRegistrar()
  await assertIsPaperOf(tx, { organizationId: actor.organizationId, orgUserId }, documentId)
}

/**
 * Checks that a member who records their own medical or flight review names a verified document, unless no other staff member
 * could verify one.
 */
async function assertIsProven(tx: Tx, actor: Actor, rule: Currency, documentId: number | null): Promise<void> {
  if (rule.kind !== 'medical' && rule.kind !== 'flight_review') return
  if (documentId !== null && (await isVerifiedDocument(tx, actor, rule, documentId))) return
  if (await hasOtherStaff(tx, actor)) throw qualificationErrors.provenForOneself()
}

/**
 * Returns the end of an instructor's recent experience after a renewal; an early renewal extends the current end (14 CFR
 * 61.197(b)).
 */
async function renewedEnd(
  tx: Tx,
  { organizationId, organization }: Actor,
  member: Parameters<typeof findCurrencyStates>[2][number],
  currencyId: number,
  { completedAt }: NewRecord,
): Promise<Date> {
  const zone = organization.timeZoneName
  const states = await findCurrencyStates(tx.db, { organizationId, zone }, [member], tx.now)
  const end = states.find(({ currency }) => currency.id === currencyId)?.validUntil ?? null
  return endOfDay(renewedInstructorEnd(end, localDate(completedAt, zone)), zone)
}
