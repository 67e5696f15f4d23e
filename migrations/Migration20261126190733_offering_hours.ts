import { Migration } from '@mikro-orm/migrations'

/** The time of day at which an offering is flown. */
export class Migration20261126190733_offering_hours extends Migration {
  override up(): void {
    this.addSql(`
      alter table offering
        add column earliest_minute integer check (earliest_minute between 0 and 1439),
        add column latest_minute integer check (latest_minute between 0 and 1439),
        add column daylight boolean not null default false,
        add check (earliest_minute < latest_minute)`)
  }
}
