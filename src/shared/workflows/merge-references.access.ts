import { type RawBuilder, sql } from 'kysely'
import { type ReferenceColumn, referencesOf } from '../platform/db/declare-table.ts'
import type { ReferenceKind } from '../platform/db/member-columns.ts'
import type { Tx } from '../platform/db/transaction.ts'

export type MergePart = 'bookings' | 'money' | 'papers'

/** `from`: the member who is merged and removed. `into`: the member who gets the records. */
export interface Merge {
  organizationId: number
  from: number
  into: number
}

/** The ids of moved records, by their kind. */
export type MovedIds = Partial<Record<ReferenceKind, number[]>>

/** Returns the ids of the records that a merge of these parts moves. */
export async function findMoved(tx: Tx, merge: Merge, parts: readonly MergePart[]): Promise<MovedIds> {
  const moved: MovedIds = {}
  for (const reference of referencesOf(tx.tables, parts)) {
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(reference.table)} where ${refers(reference, merge, merge.from)} order by id`.execute(
      tx.db,
    )
    if (rows.length > 0) moved[reference.kind] = [...(moved[reference.kind] ?? []), ...rows.map(({ id }) => id)]
  }
  return moved
}

/** Moves the records of these parts from `from` to `into`. Deletes data that the service stores only for `from` (part `own`). */
export async function moveReferences(tx: Tx, merge: Merge, parts: readonly MergePart[]): Promise<void> {
  for (const reference of referencesOf(tx.tables, [...parts, 'own'])) await moveReference(tx, merge, reference)
  if (parts.includes('papers')) {
    await sql`select move_papers(${merge.organizationId}, ${merge.from}, ${merge.into})`.execute(tx.db)
  }
}

async function moveReference(tx: Tx, merge: Merge, reference: ReferenceColumn): Promise<void> {
  const { from, into, organizationId } = merge
  const { merge: way } = reference
  const table = sql.table(reference.table)
  const column = sql.ref(reference.column)
  if (way === 'ledger') {
    await sql`select move_ledger(${organizationId}, ${from}, ${into})`.execute(tx.db)
  } else if (way === 'drop') {
    await sql`delete from ${table} where ${refers(reference, merge, from)}`.execute(tx.db)
  } else if (way === 'profile') {
    await sql`update member_profile t set facts = s.facts || t.facts, verified = s.verified || t.verified
      from member_profile s where s.organization_id = ${organizationId} and s.membership_id = ${from}
        and t.organization_id = ${organizationId} and t.membership_id = ${into}`.execute(tx.db)
    await moveReference(tx, merge, { ...reference, merge: { once: [] } })
  } else if (way === 'move' || typeof way === 'object') {
    if (typeof way === 'object') await deleteDoubles(tx, merge, reference, way.once)
    await sql`update ${table} set ${column} = ${into}${origin(reference, from)}
      where ${refers(reference, merge, from)}`.execute(tx.db)
  }
}

/** Returns the SQL that stores on a moved enrollment from which member it came; empty for other columns. */
function origin({ table, column }: ReferenceColumn, from: number): RawBuilder<unknown> {
  return table === 'enrollment' && column === 'membership_id' ? sql`, merged_from = ${from}` : sql``
}

/** Deletes the rows of `from` that `into` has too: equal in the columns `once`, ignoring case and surrounding spaces. */
async function deleteDoubles(
  tx: Tx,
  { organizationId, from, into }: Merge,
  { table, column }: ReferenceColumn,
  once: readonly string[],
): Promise<void> {
  const value = (row: string, key: string) => sql`lower(btrim(${sql.ref(`${row}.${key}`)}::text))`
  const same = once.map((key) => sql` and ${value('t', key)} is not distinct from ${value('s', key)}`)
  await sql`delete from ${sql.table(table)} s where s.organization_id = ${organizationId} and s.${sql.ref(column)} = ${from}
    and exists (select from ${sql.table(table)} t where t.organization_id = ${organizationId}
      and t.${sql.ref(column)} = ${into}${sql.join(same, sql``)})`.execute(tx.db)
}

function refers({ column }: ReferenceColumn, { organizationId }: Merge, member: number): RawBuilder<boolean> {
  return sql`organization_id = ${organizationId} and ${sql.ref(column)} = ${member}`
}
