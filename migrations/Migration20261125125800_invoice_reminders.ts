import { Migration } from '@mikro-orm/migrations'

/** How often the payer of an invoice was reminded, by hand and by itself. What was sent before is not counted. */
export class Migration20261125125800_invoice_reminders extends Migration {
  override up(): void {
    this.addSql('alter table invoice add column reminders smallint not null default 0 check (reminders >= 0)')
  }
}
