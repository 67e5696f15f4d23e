import { Migration } from '@mikro-orm/migrations'

/** When an enrollment was last in the weekly digest of stalled students. */
export class Migration20261127153000_stalled_digest extends Migration {
  override up(): void {
    this.addSql('alter table enrollment add column if not exists stalled_notified_at timestamptz(3)')
  }
}
