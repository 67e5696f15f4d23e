import { Migration } from '@mikro-orm/migrations'

/** Events are stamped like the rows of every table of an organization. */
export class Migration20261122114259_event_stamps extends Migration {
  override up(): void {
    this.addSql(`
      alter table event add column updated_at timestamptz(3) not null default now(), add column transaction_id xid8`)
    this.addSql('create trigger write_stamp before insert on event for each row execute function stamp_row()')
  }
}
