import { Migration } from '@mikro-orm/migrations'

/** Until when the law has an organization keep papers of a member who left. */
export class Migration20261123163400_kept_papers extends Migration {
  override up(): void {
    this.addSql('alter table document add column kept_until timestamptz')
    this.addSql('alter table currency_record add column kept_until timestamptz')
  }
}
