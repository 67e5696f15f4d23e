import { Migration } from '@mikro-orm/migrations'

/** Sums over invoices read what is credited from the index that lists them. */
export class Migration20261123071301_credited_invoices extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('alter table if exists invoice validate constraint invoice_credited')
    this.addSql('alter table if exists invoice validate constraint invoice_refunded')
    this.addSql('alter table if exists ledger_entry validate constraint ledger_entry_kind_check')
    this.addSql(`create index concurrently if not exists invoice_newest on invoice (organization_id, created_at desc, id desc)
      include (status, total_cents, credited_cents, amount_paid_cents, refunded_cents, due_at)`)
    this.addSql('drop index concurrently if exists invoice_created')
  }
}
