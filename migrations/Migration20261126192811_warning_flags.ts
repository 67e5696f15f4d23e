import { Migration } from '@mikro-orm/migrations'

/** Future bookings that only have warnings. */
export class Migration20261126192811_warning_flags extends Migration {
  override up(): void {
    this.addSql(`
      alter table reservation_at_risk
        add column warnings_for_desk jsonb not null default '[]',
        add column warnings_for_others jsonb not null default '[]'`)
  }
}
