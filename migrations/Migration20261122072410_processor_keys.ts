import { Migration } from '@mikro-orm/migrations'

/**
 * The keys that the payment processor knows our rows by are random and stored on the row: ids are given again after a
 * backup is restored, keys never. Rows that exist keep the keys that they were raised with. They are written a batch at a
 * time, and looked over without a lock that readers or writers wait for.
 */
export class Migration20261122072410_processor_keys extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      alter table invoice
        add column if not exists processor_keys text[],
        add column if not exists refund_key text,
        alter column processor_keys set default array['inv_' || gen_random_uuid()],
        alter column refund_key set default 'ref_' || gen_random_uuid(),
        drop constraint if exists invoice_processor_keys,
        add constraint invoice_processor_keys check (cardinality(processor_keys) = revision + 1) not valid`)
    this.#fill(
      'invoice',
      ['processor_keys', 'refund_key'],
      `processor_keys = (
          select array_agg('inv_' || organization_id || '_' || id || case r when 0 then '' else '_r' || r end order by r)
          from generate_series(0, revision) as r),
        refund_key = 'ref_' || organization_id || '_' || id`,
    )
    this.addSql('alter table if exists invoice validate constraint invoice_processor_keys')

    this.#oneKey('membership', 'cus', "organization_id || '_member_' || id")
    this.#oneKey('guest', 'cus', "organization_id || '_guest_' || id")
    this.#oneKey('organization', 'acct', 'id')
  }

  #oneKey(table: string, prefix: string, present: string): void {
    this.addSql(`
      alter table ${table}
        add column if not exists processor_key text,
        alter column processor_key set default '${prefix}_' || gen_random_uuid()`)
    this.#fill(table, ['processor_key'], `processor_key = '${prefix}_' || ${present}`)
  }

  /** Fills columns of the rows that exist, each batch a transaction, and then requires them. */
  #fill(table: string, columns: string[], values: string): void {
    const missing = columns.map((column) => `${column} is null`).join(' or ')
    const present = columns.map((column) => `${column} is not null`).join(' and ')
    this.addSql(`
      do $$
      declare
        last integer := 0;
        batch integer[];
      begin
        loop
          batch := array(select id from ${table} where id > last order by id limit 1000);
          exit when cardinality(batch) = 0;
          update ${table} set ${values} where id = any(batch) and (${missing});
          commit;
          last := batch[cardinality(batch)];
        end loop;
      end $$`)
    // A checked constraint spares the table the scan that it would be locked for.
    this.addSql(`
      alter table ${table}
        drop constraint if exists ${table}_keys_present,
        add constraint ${table}_keys_present check (${present}) not valid`)
    this.addSql(`alter table if exists ${table} validate constraint ${table}_keys_present`)
    const required = columns.map((column) => `alter column ${column} set not null`).join(', ')
    this.addSql(`alter table if exists ${table} ${required}, drop constraint if exists ${table}_keys_present`)
  }
}
