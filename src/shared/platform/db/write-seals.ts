import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type NewSeal, type RecordKeys, type SealKind, sealKinds } from '../contracts/seal-kinds.ts'
import { authenticated, leafOf, type SealContent } from '../contracts/seal-leaf.ts'
import type { Db } from './database.ts'

/**
 * Writes the seals of a transaction, as its last statements: each covers the columns of its row as they are then. Within an
 * organization, seals are numbered without gaps in the order of their commits; the lock lasts until the commit.
 * Implements docs/decisions/0046.
 * @throws Error when the process has no record keys
 */
export async function writeSeals(db: Db, keys: RecordKeys | null, seals: readonly NewSeal[]): Promise<void> {
  if (seals.length === 0) return
  if (!keys) throw new Error('RECORD_KEYS is not set: nothing can be signed')
  const contents = await readSealed(db, seals)
  const byOrganization = Map.groupBy(seals, ({ organizationId }) => organizationId)
  for (const [organizationId, theirs] of [...byOrganization].sort(([a], [b]) => a - b)) {
    const { rows } = await sql<{ last: number }>`select last_seal_number(${organizationId}) as last`.execute(db)
    const first = rows[0]!.last + 1
    await db
      .insertInto('seal')
      .values(theirs.map((seal, index) => sealRow(keys, seal, first + index, contents.get(keyOf(seal)) ?? {})))
      .execute()
  }
}

/** Returns the covered columns of the rows of seals, by `keyOf`: one statement for each table and organization. */
export async function readSealed(db: Db, seals: readonly NewSeal[]): Promise<Map<string, SealContent>> {
  const found = new Map<string, SealContent>()
  const covering = seals.flatMap((seal) => {
    const sealed = sealKinds[seal.kind]
    return sealed ? [{ ...seal, ...sealed }] : []
  })
  for (const [, same] of Map.groupBy(covering, ({ organizationId, table }) => `${organizationId} ${table}`)) {
    const [{ organizationId, table }] = same as [(typeof covering)[number]]
    const columns = [...new Set(same.flatMap((seal): readonly string[] => seal.columns))]
    const { rows } = await sql<SealContent & { id: number }>`
      select id, ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
       where organization_id = ${organizationId} and id = any(${same.map(({ id }) => id)})`.execute(db)
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const seal of same) {
      const row = byId.get(seal.id)
      if (row) found.set(keyOf(seal), Object.fromEntries(seal.columns.map((column) => [column, row[column]])))
    }
  }
  return found
}

/** Returns the key of a seal's content. */
export function keyOf({ organizationId, kind, id }: { organizationId: number; kind: SealKind; id: number }): string {
  return `${organizationId} ${kind} ${id}`
}

function sealRow(keys: RecordKeys, seal: NewSeal, number: number, content: SealContent) {
  const salt = randomBytes(16)
  const leaf = leafOf(seal, content, salt)
  return {
    organization_id: seal.organizationId,
    number,
    kind: seal.kind,
    subject_id: seal.id,
    member_id: seal.memberId,
    signer_id: seal.signerId,
    signed_at: seal.signedAt,
    salt,
    leaf,
    mac: keys.authenticate(authenticated(seal.organizationId, number, leaf)) as Buffer,
    key_id: keys.keyId,
  }
}
