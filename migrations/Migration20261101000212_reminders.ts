import { Migration } from '@mikro-orm/migrations'

/** Which reminders were given: of currencies that expire, and of close-outs that wait for a signature. */
export class Migration20261101000212_reminders extends Migration {
  override up(): void {
    this.addSql('alter table currency_record add column expiry_told_for timestamptz(3)')
    this.addSql(`
      create index currency_record_expiring on currency_record (expires_at)
        where expires_at is not null and expiry_told_for is distinct from expires_at`)
    this.addSql(`
      alter table reservation
        add column signatures_cleared_at timestamptz(3),
        add column review_reminder_stage smallint not null default 0`)
    this.addSql(`
      create index reservation_unsigned on reservation (coalesce(signatures_cleared_at, ramped_in_at, ends_at))
        where live and (ramped_in_at is not null or type = 'ground' or type = 'sim' and resource_id is null)
          and signed_off_at is null and review_reminder_stage < 7`)
  }
}
