import { Migration } from '@mikro-orm/migrations'

/**
 * Currencies that end before their recorded end, such as the medical that a pilot lost; and members who are grounded as pilot
 * in command alone.
 */
export class Migration20261126190612_ended_currencies extends Migration {
  override up(): void {
    this.addSql(`
      alter table currency_record
        add column ended_on date,
        add column ended_because text check (ended_because in ('denied', 'suspended', 'surrendered', 'condition')),
        add column ended_note text,
        add column ended_by integer,
        add constraint currency_record_ended check ((ended_on is null) = (ended_by is null)
          and (ended_on is not null or (ended_because is null and ended_note is null))),
        add foreign key (organization_id, ended_by) references membership (organization_id, id)`)
    this.addSql(`alter table membership add column grounded_for text check (grounded_for in ('all', 'pic'))`)
  }
}
