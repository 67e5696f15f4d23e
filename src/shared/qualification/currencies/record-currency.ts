import { notify } from '../../communication/notifications/notify.ts'
import { findMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { roleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { endOfDay, localDate } from '../../platform/kernel/zones.ts'
import { assertIsDocumentOf } from '../documents/document.access.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import type { CurrencyRule } from '../qualification.tables.ts'
import { findRule, hasOtherStaff, isVerifiedDocument } from './currency.access.ts'
import { findCurrencyStates } from './currency-state.queries.ts'
import { type GivenDates, type NewRecord, recordedDates } from './new-record.rules.ts'
import { renewedInstructorEnd } from './review.rules.ts'

export interface RecordCurrency extends GivenDates {
  orgUserId: number
  currencyId: number
  /** The member's document that proves it. */
  documentId?: number | null | undefined
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
  const rule = await findRule(tx, actor, currencyId)
  const zone = actor.organization.timeZoneName
  const dates = recordedDates(rule, input, tx.now, zone)
  if (documentId !== null) await assertIsDocumentOf(tx, { organizationId, orgUserId }, documentId)
  if (orgUserId === actor.orgUserId) await assertIsProven(tx, actor, rule, documentId)
  if (rule.kind === 'instructor_certificate') {
    dates.expiresAt = await renewedEnd(tx, actor, { id: orgUserId, ...roleFlags(member) }, currencyId, dates)
  }
  const columns = {
    completed_at: dates.completedAt,
    expires_at: dates.expiresAt,
    medical_class: dates.medicalClass,
    course_at: dates.courseAt,
    document_id: documentId,
    recorded_by: actor.orgUserId,
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
 * Checks that a member who records their own medical or flight review names a verified document, unless no other staff member
 * could verify one.
 */
async function assertIsProven(tx: Tx, actor: Actor, { kind }: CurrencyRule, documentId: number | null): Promise<void> {
  if (kind !== 'medical' && kind !== 'flight_review') return
  if (documentId !== null && (await isVerifiedDocument(tx, actor, documentId))) return
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
