import { Migration } from '@mikro-orm/migrations'

/** The refunds of an organization that wait for an admin. */
export class Migration20261123035619_refund_waiting_index extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists invoice_refund_waiting
        on invoice (organization_id, refund_waiting_at) where refund_waiting_at is not null`)
  }
}
