import type pg from 'pg'

/** A table with the school's rows, and the expression that each of its columns has in a copy. */
interface Copied {
  table: string
  columns: string[]
  values: string[]
  /** The condition that selects the school's rows. */
  where: string
}

/** Columns of an id that has no foreign key, by table. */
const looseReferences: Record<string, readonly string[]> = { event: ['membership_id', 'subject_id'] }

/** Values that must differ between copies; `c.n` is the number of the copy. */
const unique: Record<string, string> = {
  'organization.name': "t.name || ' ' || c.n",
  'organization.code': "translate(upper(substr(md5(t.name || c.n), 1, 6)), '01', 'GH')",
  'account.email': "c.n || '.' || t.email",
  'event.id': 'gen_random_uuid()',
  'document.storage_key': "c.n || '/' || t.storage_key",
}

/**
 * Inserts copies of a school: one statement per table, in which each id is that of the original plus a multiple of a
 * number that is greater than all ids. The copies have the same members, bookings, invoices and times. The connection
 * must check no foreign keys and run no triggers (`session_replication_role = replica`).
 */
export async function copySchool(client: pg.ClientBase, organizationId: number, copies: number): Promise<void> {
  const tables = await tablesOf(client)
  const filled: Copied[] = []
  for (const table of tables) {
    const { rowCount } = await client.query(`select from "${table.table}" t where ${table.where} limit 1`, [
      organizationId,
    ])
    if (rowCount) filled.push(table)
  }
  const stride = await aboveAllIds(client, filled)
  for (const { table, columns, values, where } of filled) {
    await client.query(
      `insert into "${table}" (${columns.join(', ')}) overriding system value
       select ${values.join(', ')} from generate_series(1, $2::int) c (n), "${table}" t
       cross join (select ${stride}::int as stride) s where ${where}`,
      [organizationId, copies],
    )
  }
  await client.query('analyze')
}

/** Returns the tables with rows of an organization, and the accounts of its members. */
async function tablesOf(client: pg.ClientBase): Promise<Copied[]> {
  const { rows } = await client.query<{ table: string; column: string; shifts: boolean; scoped: boolean }>(
    `select c.relname as table, a.attname as column,
       (a.attname = 'id' and a.atttypid in ('int4'::regtype, 'int8'::regtype)) or exists (
         select from pg_constraint f cross join unnest(f.conkey, f.confkey) k (own, other)
         join pg_attribute o on o.attrelid = f.confrelid and o.attnum = k.other
         where f.contype = 'f' and f.conrelid = c.oid and k.own = a.attnum and o.atttypid in ('int4'::regtype, 'int8'::regtype)
           and o.attname in ('id', 'organization_id')) as shifts,
       exists (select from pg_attribute x where x.attrelid = c.oid and x.attname = 'organization_id') as scoped
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by c.relname, a.attnum`,
  )
  const own: Record<string, string> = {
    organization: 't.id = $1',
    account: 't.id in (select account_id from membership where organization_id = $1)',
  }
  return [...Map.groupBy(rows, ({ table }) => table)].flatMap(([table, columns]) => {
    const where = own[table] ?? (columns[0]?.scoped ? 't.organization_id = $1' : undefined)
    if (where === undefined) return []
    const values = columns.map(({ column, shifts }) => {
      const isReference = shifts || column === 'organization_id' || looseReferences[table]?.includes(column)
      return unique[`${table}.${column}`] ?? (isReference ? `t."${column}" + c.n * s.stride` : `t."${column}"`)
    })
    return [{ table, columns: columns.map(({ column }) => `"${column}"`), values, where }]
  })
}

async function aboveAllIds(client: pg.ClientBase, tables: readonly Copied[]): Promise<number> {
  let most = 0
  for (const { table, values } of tables) {
    if (!values.includes('t."id" + c.n * s.stride')) continue
    const { rows } = await client.query<{ most: number }>(`select max(id)::int as most from "${table}"`)
    most = Math.max(most, rows[0]?.most ?? 0)
  }
  return most + 1
}

/** Lets each identity column continue after the greatest id of its table. */
export async function continueIds(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  )
  for (const { table, column, sequence } of rows) {
    await client.query(`select setval($1, max("${column}")) from "${table}" having max("${column}") is not null`, [
      sequence,
    ])
  }
}
