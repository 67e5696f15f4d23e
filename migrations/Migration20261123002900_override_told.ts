import { Migration } from '@mikro-orm/migrations'

/** When the daily digest told of an override. */
export class Migration20261123002900_override_told extends Migration {
  override up(): void {
    this.addSql('alter table rule_override add column told_at timestamptz(3)')
  }
}
