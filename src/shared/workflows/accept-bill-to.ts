import { findMember } from '../identity/members/member.access.ts'
import { acceptBillTo, type BillToConsent, findPayerToAccept } from '../identity/members/set-bill-to.ts'
import { lockOrganization } from '../identity/organizations/organization.access.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { assertIsPaperOf } from '../qualification/documents/document.access.ts'

/**
 * Accepts to pay for a member: the payer, or an admin for a payer without an account, with the payer's signed document.
 * Implements interface §Members, POST /orgUsers/{id}/billTo/accept.
 */
export async function acceptToPay(
  tx: Tx,
  actor: Actor,
  id: number,
  { documentId, ...consent }: BillToConsent & { documentId: number | null },
): Promise<{ id: number }> {
  const { organizationId } = actor
  // Who is to pay stays the same from here on: the document is of the payer who is accepted for.
  await lockOrganization(tx, organizationId)
  if (documentId !== null) {
    const payer = await findPayerToAccept(tx, actor, await findMember(tx, organizationId, { id }))
    await assertIsPaperOf(tx, { organizationId, orgUserId: payer.id }, documentId)
  }
  await acceptBillTo(tx, actor, id, consent, documentId)
  return { id }
}
