import { Migration } from '@mikro-orm/migrations'
import { referenceIndex, tenantRecord } from './tenant-record.ts'

/** Which end of a currency each member was told of: of a date on record, or of recent flights that lapse. */
export class Migration20261101000222_currency_notices extends Migration {
  override up(): void {
    this.addSql(`
      create table currency_notice (${tenantRecord}
        currency_rule_id integer not null,
        membership_id integer not null,
        told_for timestamptz(3) not null,
        unique (organization_id, currency_rule_id, membership_id),
        foreign key (organization_id, currency_rule_id) references currency_rule (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql(referenceIndex('currency_notice', 'membership_id', { optional: false }))
    this.addSql(`
      insert into currency_notice (organization_id, currency_rule_id, membership_id, told_for)
        select organization_id, currency_rule_id, membership_id, expiry_told_for
        from currency_record where expiry_told_for is not null`)
    this.addSql('drop index currency_record_expiring')
    this.addSql('alter table currency_record drop column expiry_told_for')
    this.addSql('create index currency_record_expiring on currency_record (expires_at) where expires_at is not null')
  }
}
