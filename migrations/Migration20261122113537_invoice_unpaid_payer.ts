import { Migration } from '@mikro-orm/migrations'

/** What is still to be paid, in the order of the payers, so that receivables are added up while they are read. */
export class Migration20261122113537_invoice_unpaid_payer extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`create index concurrently if not exists invoice_unpaid_payer on invoice
      (organization_id, membership_id, guest_id) where status in ('pending', 'open')`)
  }
}
