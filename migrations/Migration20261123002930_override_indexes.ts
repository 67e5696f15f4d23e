import { Migration } from '@mikro-orm/migrations'

/** The overrides that no digest told of, and those of one digest. */
export class Migration20261123002930_override_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists rule_override_untold on rule_override (created_at) where told_at is null`)
    this.addSql(`
      create index concurrently if not exists rule_override_told
        on rule_override (organization_id, told_at) where told_at is not null`)
  }
}
