import type { EntityMetadata, EntityProperty } from '@mikro-orm/core'
import type { Database } from '../../../src/shared/platform/db/database.ts'

/** Every column as the entities know it: `resource.year int4 null`. */
export function mappedColumns({ orm }: Database): string[] {
  const entities: EntityMetadata[] = [...orm.em.getMetadata().getAll().values()].filter(({ tableName }) => tableName)
  return entities.flatMap(({ tableName, props }) =>
    props
      .filter(({ persist, fieldNames }) => persist !== false && fieldNames?.length > 0)
      .map(
        (property) => `${tableName}.${property.fieldNames[0]} ${typeOf(property)}${property.nullable ? ' null' : ''}`,
      ),
  )
}

/** PostgreSQL's own name for the type that an entity says. */
function typeOf({ columnTypes }: EntityProperty): string {
  const type = (columnTypes[0] ?? '').replace(/\(\d+\)/, '')
  return ownNames[type] ?? type
}

const ownNames: Record<string, string> = {
  int: 'int4',
  integer: 'int4',
  bigserial: 'int8',
  serial: 'int4',
  smallint: 'int2',
  boolean: 'bool',
  'text[]': '_text',
  'int[]': '_int4',
}

/** Every column of every table, in the same words. */
export const storedColumns = `
  select c.table_name || '.' || c.column_name || ' ' || c.udt_name || case c.is_nullable when 'YES' then ' null' else '' end as name
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
   where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'migration'`

/** The tables with a column for the organization, whether it may be empty, and whether rows go with it. */
export const tenantTables = `
  select a.attrelid::regclass::text as table, not a.attnotnull as nullable,
         exists (select 1 from pg_constraint k
                  where k.conrelid = a.attrelid and k.contype = 'f' and k.confrelid = 'organization'::regclass
                    and k.confdeltype = 'c') as cascades
    from pg_attribute a join pg_class t on t.oid = a.attrelid
   where a.attname = 'organization_id' and t.relkind = 'r' and t.relnamespace = 'public'::regnamespace`

/** The foreign keys between tables that both say whose each row is, and whether the two must be the same organization's. */
export const tenantReferences = `
  select conrelid::regclass::text || ': ' || pg_get_constraintdef(k.oid) as name,
         exists (select from unnest(conkey, confkey) as c (mine, their)
                  where c.mine = own.attnum and c.their = theirs.attnum) as within
    from pg_constraint k
    join pg_attribute own on own.attrelid = conrelid and own.attname = 'organization_id'
    join pg_attribute theirs on theirs.attrelid = confrelid and theirs.attname = 'organization_id'
   where contype = 'f' and connamespace = 'public'::regnamespace`

/** Columns that are named like a reference and refer to nothing. */
export const looseReferences = `
  select a.attrelid::regclass::text || '.' || a.attname as name
    from pg_attribute a join pg_class t on t.oid = a.attrelid
   where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
     and a.attname ~ '_(id|by)$' and a.atttypid = 'int4'::regtype
     and not exists (select 1 from pg_constraint k
                      where k.conrelid = a.attrelid and k.contype = 'f' and a.attnum = any (k.conkey))`

/**
 * Foreign keys that no index serves. One serves when it begins with the id that the key refers to, or with the
 * organization and that id; a partial one must leave out only what refers to nothing.
 */
export const bareReferences = `
  select k.conrelid::regclass::text || '(' || pg_get_constraintdef(k.oid) || ')' as name
    from pg_constraint k
   where k.contype = 'f' and k.connamespace = 'public'::regnamespace
     and not exists (
       select 1 from pg_index i, lateral (select array(select unnest(i.indkey)) as columns) x
        where i.indrelid = k.conrelid
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$')
          and (x.columns[1] = k.conkey[least(cardinality(k.conkey), 2)]
               or cardinality(k.conkey) > 1 and x.columns[1:2] <@ k.conkey[1:2] and x.columns[1:2] @> k.conkey[1:2]))`
