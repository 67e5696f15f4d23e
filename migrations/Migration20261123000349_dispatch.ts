import { Migration } from '@mikro-orm/migrations'

/** When a flight is expected back, and the alarm that was told of it last; files that an aircraft carries, with their end. */
export class Migration20261123000349_dispatch extends Migration {
  override up(): void {
    this.addSql(`
      alter table reservation
        add column expected_back_at timestamptz(3),
        add column overdue_stage smallint not null default 0`)
    this.addSql(`
      alter table resource_file
        add column expires_at timestamptz(3),
        drop constraint resource_file_category_check,
        add constraint resource_file_category_check check (category in
          ('poh', 'weight_and_balance', 'insurance', 'form_337', 'logbook_scan', 'registration', 'airworthiness', 'other'))`)
  }
}
