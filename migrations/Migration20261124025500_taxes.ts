import { Migration } from '@mikro-orm/migrations'

/**
 * Taxes of invoices: the tax of each line, and of each invoice by rate, as they were when it was raised. A member may be
 * exempt.
 */
export class Migration20261124025500_taxes extends Migration {
  override up(): void {
    this.addSql('alter table invoice add column tax_cents integer not null default 0')
    this.addSql(`alter table invoice add column taxes jsonb not null default '[]'`)
    this.addSql('alter table invoice_item add column tax_cents integer not null default 0')
    this.addSql('alter table credit_note add column tax_cents integer not null default 0')
    this.addSql('alter table membership add column tax_exempt boolean not null default false')
  }
}
