import { type NewSeal, type SealKind, sealKinds } from '../../src/shared/platform/contracts/seal-kinds.ts'
import { authenticated, leafOf } from '../../src/shared/platform/contracts/seal-leaf.ts'
import { keyOf, readSealed } from '../../src/shared/platform/db/write-seals.ts'
import type { TestApp } from './app.ts'

/** A stored seal, and whether its code and its row agree with it. */
export interface CheckedSeal extends NewSeal {
  number: number
  /** Whether the code is the one that the record keys give. */
  authentic: boolean
  /** Whether the row has the values that were sealed. */
  intact: boolean
}

/** Reads the seals of an organization, in their order, and compares each with its row as it is now. */
export async function checkSeals({ core }: TestApp, organizationId: number): Promise<CheckedSeal[]> {
  const { db, recordKeys } = core.database
  const rows = await db
    .selectFrom('seal')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('number')
    .execute()
  const seals = rows.map((row) => ({
    organizationId,
    kind: row.kind as SealKind,
    id: row.subject_id,
    memberId: row.member_id,
    signerId: row.signer_id,
    signedAt: row.signed_at as unknown as Date,
  }))
  const contents = await readSealed(db, seals)
  return rows.map((row, index) => {
    const seal = seals[index]!
    const leaf = Buffer.from(row.leaf)
    const code = recordKeys?.authenticate(authenticated(organizationId, row.number, leaf), row.key_id)
    return {
      ...seal,
      number: row.number,
      authentic: code?.equals(Buffer.from(row.mac)) === true,
      intact: leafOf(seal, sealKinds[seal.kind] ? (contents.get(keyOf(seal)) ?? {}) : {}, Buffer.from(row.salt)).equals(
        leaf,
      ),
    }
  })
}
