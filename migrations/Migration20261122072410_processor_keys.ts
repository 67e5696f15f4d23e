import { Migration } from '@mikro-orm/migrations'

/**
 * The keys that the payment processor knows our rows by are random and stored on the row: ids are given again after a
 * backup is restored, keys never. Rows that exist keep the keys that they were raised with.
 */
export class Migration20261122072410_processor_keys extends Migration {
  override up(): void {
    this.addSql('alter table invoice add column processor_keys text[], add column refund_key text')
    this.addSql(`
      update invoice set
        processor_keys = (
          select array_agg('inv_' || organization_id || '_' || id || case r when 0 then '' else '_r' || r end order by r)
          from generate_series(0, revision) as r),
        refund_key = 'ref_' || organization_id || '_' || id`)
    this.addSql(`
      alter table invoice
        alter column processor_keys set default array['inv_' || gen_random_uuid()],
        alter column processor_keys set not null,
        alter column refund_key set default 'ref_' || gen_random_uuid(),
        alter column refund_key set not null,
        add constraint invoice_processor_keys check (cardinality(processor_keys) = revision + 1)`)
    for (const payer of ['membership', 'guest']) {
      const word = payer === 'guest' ? 'guest' : 'member'
      this.addSql(`alter table ${payer} add column processor_key text`)
      this.addSql(`update ${payer} set processor_key = 'cus_' || organization_id || '_${word}_' || id`)
      this.addSql(`
        alter table ${payer}
          alter column processor_key set default 'cus_' || gen_random_uuid(),
          alter column processor_key set not null`)
    }
    this.addSql('alter table organization add column processor_key text')
    this.addSql("update organization set processor_key = 'acct_' || id")
    this.addSql(`
      alter table organization
        alter column processor_key set default 'acct_' || gen_random_uuid(),
        alter column processor_key set not null`)
  }
}
