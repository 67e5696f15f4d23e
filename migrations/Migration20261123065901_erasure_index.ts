import { Migration } from '@mikro-orm/migrations'

/** The hourly purge finds the profiles whose time is over. */
export class Migration20261123065901_erasure_index extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(
      'create index concurrently if not exists member_profile_kept on member_profile (kept_until) where kept_until is not null',
    )
  }
}
