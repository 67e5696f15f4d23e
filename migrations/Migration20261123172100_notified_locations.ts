import { Migration } from '@mikro-orm/migrations'

/** The locations of whose aircraft and bookings a dispatcher wants to hear; empty: all. */
export class Migration20261123172100_notified_locations extends Migration {
  override up(): void {
    this.addSql(`alter table membership add column notified_location_ids jsonb not null default '[]'`)
  }
}
