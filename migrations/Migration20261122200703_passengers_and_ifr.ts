import { Migration } from '@mikro-orm/migrations'

/** What a flight carries and how it is flown, which 14 CFR 61.57 asks its pilot about. */
export class Migration20261122200703_passengers_and_ifr extends Migration {
  override up(): void {
    for (const table of ['reservation', 'booking_request']) {
      this.addSql(`
        alter table ${table}
          add column passengers smallint not null default 0 check (passengers >= 0),
          add column ifr boolean not null default false`)
    }
  }
}
