import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { assertHasAccount } from '../../../shared/billing/ledger/ledger.access.ts'
import type { Call } from '../../http/endpoint.ts'
import { notesReading } from '../../identity/members/wide-reading.ts'
import { recordRead } from '../../identity/profiles/audited-reading.ts'

/**
 * Checks that the caller may read a member's ledger and statement: their own, and as an admin or cashier those of any
 * member. What a cashier reads of others is recorded in the audit log, and counts as a reading of members.
 * Implements interface §Desk grants.
 */
export async function assertReadsAccount(
  call: Pick<Call<'member'>, 'db' | 'actor' | 'asAdmin' | 'services' | 'now' | 'request'>,
  orgUserId: number,
): Promise<void> {
  const { db, actor } = call
  await assertHasAccount(db, actor.organizationId, orgUserId)
  if (orgUserId === actor.orgUserId) return
  const reader = await call.asAdmin(billingErrors.notYourAccount)
  if (!reader.grant) return
  notesReading(call)(orgUserId)
  await recordRead(call, reader, { kind: 'ledger.read', orgUserId })
}
