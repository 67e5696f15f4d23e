import type pg from 'pg'

/** Returns the SQL condition that excludes objects of an extension. */
const own = (catalog: string, oid: string) =>
  `not exists (select 1 from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`

const here = "'public'::regnamespace"

/** One query per kind of object; `place` is the table of the object, or empty. */
const objects = [
  `select '' as place, 'extension ' || extname as line from pg_extension where extname <> 'plpgsql'`,
  `select '', format('collation %s provider=%s locale=%s deterministic=%s', collname, collprovider,
            coalesce(to_jsonb(c) ->> 'colllocale', to_jsonb(c) ->> 'colliculocale'), collisdeterministic)
     from pg_collation c where collnamespace = ${here}`,
  // Sequences of identity columns belong to their columns.
  `select '', format('sequence %s %s', c.relname, format_type(q.seqtypid, null))
     from pg_sequence q join pg_class c on c.oid = q.seqrelid
    where c.relnamespace = ${here} and c.relname <> 'migration_id_seq'
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'i')`,
  `select '', 'function ' || pg_get_functiondef(p.oid)
     from pg_proc p where pronamespace = ${here} and ${own('pg_proc', 'p.oid')}`,
  `select attrelid::regclass::text, concat_ws(' ', 'column', attname, format_type(atttypid, atttypmod),
            case when attnotnull then 'not null' end,
            case attidentity when 'd' then 'identity' when 'a' then 'identity always' end,
            (select case when attgenerated <> '' then 'generated ' else 'default ' end || pg_get_expr(adbin, adrelid)
               from pg_attrdef where adrelid = attrelid and adnum = attnum))
     from pg_attribute join pg_class t on t.oid = attrelid
    where t.relkind = 'r' and t.relnamespace = ${here} and attnum > 0 and not attisdropped`,
  `select conrelid::regclass::text, format('constraint %s %s', conname, pg_get_constraintdef(oid))
     from pg_constraint where connamespace = ${here} and conrelid <> 0 and contype <> 'n'`,
  `select indrelid::regclass::text, 'index ' || pg_get_indexdef(indexrelid) || case when indisvalid then '' else ' INVALID' end
     from pg_index join pg_class t on t.oid = indrelid
    where t.relnamespace = ${here}
      and not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))`,
  `select stxrelid::regclass::text, pg_get_statisticsobjdef(oid) from pg_statistic_ext where stxnamespace = ${here}`,
  `select tgrelid::regclass::text, concat_ws(' ', 'trigger', pg_get_triggerdef(oid), case when tgenabled <> 'O' then 'NOT ENABLED' end)
     from pg_trigger where not tgisinternal`,
]

/**
 * Returns the whole schema as text: extensions, collations and functions first, then each table with its columns,
 * constraints, indexes, statistics and triggers. The order does not depend on the schema's history.
 */
export async function describeSchema(client: pg.Client | pg.Pool): Promise<string> {
  const { rows } = await client.query<{ place: string; line: string }>(
    `select place, line from (${objects.join(' union all ')}) o order by place collate "C", line collate "C"`,
  )
  let place = ''
  return rows
    .flatMap((row) => {
      const heading = row.place === place ? [] : ['', `table ${row.place}`]
      place = row.place
      return [...heading, place ? `  ${row.line}` : row.line]
    })
    .join('\n')
    .concat('\n')
}
