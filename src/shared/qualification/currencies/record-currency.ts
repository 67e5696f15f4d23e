import { findMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { mustBeDocumentOf } from '../documents/document.queries.ts'
import { CurrencyRecord, CurrencyRule } from './currency.entity.ts'
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
  const rule = await tx.em.findOne(CurrencyRule, { organizationId, id: currencyId })
  if (!rule) throw new NotFound()
  if (rule.kind !== 'expiring') throw new Invalid('This currency is counted from signed flights; nothing is recorded.')
  if (completedAt > tx.now) throw new Invalid('completedAt: is in the future')
  const expiresAt =
    input.expiresAt === undefined
      ? expiryOf(completedAt, rule.validCalendarMonths ?? null, actor.organization.timeZoneName)
      : input.expiresAt
  if (input.expiresAt === undefined && expiresAt === null) {
    throw new Invalid('expiresAt: is required, since the currency has no period of its own; null never expires')
  }
  if (expiresAt && expiresAt <= completedAt) throw new Invalid('expiresAt: must be after completedAt')
  if (documentId !== null) await mustBeDocumentOf(tx, { organizationId, orgUserId }, documentId)
  await tx.em.upsert(
    CurrencyRecord,
    {
      organizationId,
      currencyRuleId: currencyId,
      membershipId: orgUserId,
      completedAt,
      expiresAt,
      documentId,
      recordedBy: actor.orgUserId,
      updatedAt: tx.now,
    },
    { onConflictFields: ['organizationId', 'currencyRuleId', 'membershipId'] },
  )
  return { orgUserId, currencyId }
}
