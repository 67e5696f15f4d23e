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

/** Returns the covered columns of the rows of seals, by `keyOf`: one statement for each kind and organization. */
export async function readSealed(db: Db, seals: readonly NewSeal[]): Promise<Map<string, SealContent>> {
  const found = new Map<string, SealContent>()
  for (const [, same] of Map.groupBy(seals, ({ organizationId, kind }) => `${organizationId} ${kind}`)) {
    const [{ organizationId, kind }] = same as [NewSeal]
    const sealed = sealKinds[kind]
    if (!sealed) continue
    const columns = sql.join(sealed.columns.map((column) => sql.ref(column)))
    const { rows } = await sql<{ id: number; content: SealContent }>`
      select id, ${columns} from ${sql.table(sealed.table)}
       where organization_id = ${organizationId} and id = any(${same.map(({ id }) => id)})`.execute(db)
    for (const row of rows) {
      const { id, ...content } = row as unknown as { id: number }
      found.set(keyOf({ organizationId, kind, id }), content)
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
