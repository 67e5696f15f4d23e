import { Migration } from '@mikro-orm/migrations'

export class Migration20261126044228_told_payers extends Migration {
  override up(): void {
    this.addSql('alter table charge_notice add column given_up_at timestamptz(3)')
    this.addSql('alter table autopay_charge alter column not_before drop not null')
  }
}
