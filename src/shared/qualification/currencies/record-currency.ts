import { findMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { mustBeDocumentOf } from '../documents/document.access.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import { findRule } from './currency.access.ts'
import { expiryOf } from './currency.rules.ts'

export interface RecordCurrency {
  orgUserId: number
  currencyId: number
  completedAt: Date
  /** Null never expires; without it the rule's own period applies. */
  expiresAt?: Date | null | undefined
  /** The member's document that proves it. */
  documentId?: number | null | undefined
}

/**
 * Records the dates of a member's expiring currency, replacing earlier ones.
 * @throws NotFound for an unknown member or currency.
 * @throws Invalid for recent flights, which are counted; without an end when the rule has no period; and for a document
 * that is not the member's.
 */
export async function recordCurrency(
  tx: Tx,
  actor: Actor,
  input: RecordCurrency,
): Promise<{ orgUserId: number; currencyId: number }> {
  const { organizationId } = actor
  const { orgUserId, currencyId, completedAt, documentId = null } = input
  await findMember(tx, organizationId, { id: orgUserId })
  const rule = await findRule(tx, actor, currencyId)
  if (rule.kind !== 'expiring') throw qualificationErrors.countedFromFlights()
  if (completedAt > tx.now) throw qualificationErrors.completedInFuture()
  const expiresAt =
    input.expiresAt === undefined
      ? expiryOf(completedAt, rule.validCalendarMonths ?? null, actor.organization.timeZoneName)
      : input.expiresAt
  if (input.expiresAt === undefined && expiresAt === null) {
    throw qualificationErrors.expiryMissing()
  }
  if (expiresAt && expiresAt <= completedAt) throw qualificationErrors.expiresBeforeCompleted()
  if (documentId !== null) await mustBeDocumentOf(tx, { organizationId, orgUserId }, documentId)
  const dates = {
    completed_at: completedAt,
    expires_at: expiresAt,
    document_id: documentId,
    recorded_by: actor.orgUserId,
  }
  await tx.db
    .insertInto('currency_record')
    .values({ organization_id: organizationId, currency_rule_id: currencyId, membership_id: orgUserId, ...dates })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'currency_rule_id', 'membership_id']).doUpdateSet(dates),
    )
    .execute()
  return { orgUserId, currencyId }
}
