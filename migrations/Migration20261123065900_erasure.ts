import { Migration } from '@mikro-orm/migrations'

/** A former member whose personal data was erased: when; and how long what has to be kept of a profile is kept. */
export class Migration20261123065900_erasure extends Migration {
  override up(): void {
    this.addSql(
      'alter table membership add column erased_at timestamp(3) with time zone, add check (erased_at is null or removed_at is not null)',
    )
    this.addSql('alter table member_profile add column kept_until timestamp(3) with time zone')
  }
}
