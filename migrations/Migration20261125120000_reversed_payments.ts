import { Migration } from '@mikro-orm/migrations'

/** Reversed payments of an organization by the day of their reversal: they are few, and the others pay nothing for it. */
export class Migration20261125120000_reversed_payments extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists payment_reversed
        on payment (organization_id, reversed_at) where reversed_at is not null`)
  }
}
