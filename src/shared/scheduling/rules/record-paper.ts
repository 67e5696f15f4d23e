import type { Tx } from '../../platform/db/transaction.ts'
import type { OfOverride } from './override.access.ts'

/** Records the SHA-256, in hexadecimal, of the file that an override names, so that a later file changes nothing. */
export async function recordHash(tx: Tx, { organizationId, overrideId }: OfOverride, sha256: string): Promise<void> {
  await tx.db
    .updateTable('rule_override')
    .set({ document_sha256: sha256 })
    .where('organization_id', '=', organizationId)
    .where('id', '=', overrideId)
    .where('document_sha256', 'is', null)
    .execute()
}
