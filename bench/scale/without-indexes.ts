import type pg from 'pg'

/** One index that was built after the load, and the milliseconds that it took. */
export interface Built {
  table: string
  name: string
  kind: 'index' | 'exclusion constraint'
  ms: number
}

interface Dropped {
  table: string
  name: string
  kind: Built['kind']
  drop: string
  make: string
}

/**
 * Loads tables without their indexes, triggers and foreign keys, and builds the indexes afterwards, as a restore does:
 * one build over a million rows is much faster than a million inserts into an index. Indexes of primary keys and unique
 * constraints stay. With `constraints: false`, exclusion constraints become plain indexes: their check takes the
 * longest, and the rows of `seedSchool` satisfy them. Returns the build time of each index.
 */
export async function loadWithoutIndexes(
  client: pg.ClientBase,
  tables: readonly string[],
  load: () => Promise<void>,
  { constraints = true } = {},
): Promise<Built[]> {
  const { rows: dropped } = await client.query<Dropped>(
    `select conrelid::regclass::text as table, conname as name, 'exclusion constraint' as kind,
       format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       case when $2 then format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
         else pg_get_indexdef(conindid) end as make
     from pg_constraint where contype = 'x' and conrelid = any($1::regclass[])
     union all
     select i.indrelid::regclass::text, c.relname, 'index', format('drop index %s', i.indexrelid::regclass),
       pg_get_indexdef(i.indexrelid)
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = any($1::regclass[]) and not i.indisprimary
       and not exists (select from pg_constraint x where x.conindid = i.indexrelid)
     order by 1, 2`,
    [tables, constraints],
  )
  for (const { drop } of dropped) await client.query(drop)
  await client.query("set session_replication_role = 'replica'")
  // Nested loops are off: PostgreSQL has no statistics yet of the rows that the load joins.
  await client.query('set enable_nestloop = off')
  await load()
  await client.query('reset enable_nestloop')
  await client.query("set session_replication_role = 'origin'")
  const built: Built[] = []
  for (const { table, name, kind, make } of dropped) {
    const began = performance.now()
    await client.query(make)
    built.push({ table, name, kind, ms: performance.now() - began })
  }
  return built
}

/** Writes the columns that triggers write, since triggers were off during the load. */
export async function writeWhatTriggersDo(client: pg.ClientBase): Promise<void> {
  await client.query(
    'update membership m set search_name = a.name, search_email = a.email from account a where a.id = m.account_id',
  )
  await client.query(
    `update reservation r set billed = true where r.id in (
       select i.reservation_id from invoice i union all select e.reservation_id from ledger_entry e)`,
  )
}

/** The tables in which a school has many rows. */
export const largeTables = [
  ...[
    'account',
    'membership',
    'guest',
    'reservation',
    'seat',
    'invoice',
    'invoice_item',
    'ledger_entry',
    'notification',
  ],
  ...['event', 'enrollment', 'endorsement', 'document', 'time_off', 'group_member', 'resource_approval'],
  ...['booking_request', 'booking_request_seat', 'operation_row', 'webhook_event', 'webhook_delivery', 'payment'],
  ...['credit_note', 'package_use', 'pay_line', 'flight_log', 'training_record', 'training_test', 'currency_record'],
]
