import type { SealKind } from '../contracts/seal-kinds.ts'
import type { Tx } from '../db/transaction.ts'

/** What is signed: the row's id, the member of whom it is (null for none) and, when it is not the actor, the signer. */
export interface Signed {
  id: number
  of: number | null
  signer?: number | null
}

/**
 * Seals what the actor signs: a hash of the signed columns, with a code under a key outside the database, is written with the commit. So
 * a later change by somebody who has only the database is found.
 */
export function seal(
  tx: Tx,
  by: { organizationId: number; orgUserId: number | null },
  kind: SealKind,
  { id, of, signer = by.orgUserId }: Signed,
): void {
  tx.seals.push({ organizationId: by.organizationId, kind, id, memberId: of, signerId: signer, signedAt: tx.now })
}
