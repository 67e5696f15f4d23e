import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'

interface OfOverride {
  organizationId: number
  overrideId: number
}

/** Returns the stored file of the document that an override names; undefined when its hash is kept, or the document is gone. */
export function findPaper(
  db: Db,
  { organizationId, overrideId }: OfOverride,
): Promise<{ storageKey: string } | undefined> {
  return db
    .selectFrom('rule_override as o')
    .innerJoin('document as d', (join) =>
      join.onRef('d.organization_id', '=', 'o.organization_id').onRef('d.id', '=', 'o.document_id'),
    )
    .select('d.storage_key as storageKey')
    .where('o.organization_id', '=', organizationId)
    .where('o.id', '=', overrideId)
    .where('o.document_sha256', 'is', null)
    .executeTakeFirst()
}

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
