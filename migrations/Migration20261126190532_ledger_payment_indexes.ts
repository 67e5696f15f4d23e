import { Migration } from '@mikro-orm/migrations'

/** The indexes of payments from the ledger. */
export class Migration20261126190532_ledger_payment_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create unique index concurrently if not exists payment_ledger_entry on payment (organization_id, ledger_entry_id)
        where ledger_entry_id is not null`)
    this.addSql(`
      create index concurrently if not exists invoice_raiser on invoice (organization_id, raised_by)
        where raised_by is not null`)
    this.addSql(`
      create index concurrently if not exists invoice_of_account on invoice (organization_id, membership_id, created_at)
        where auto_ledger and status in ('pending', 'open')`)
  }
}
