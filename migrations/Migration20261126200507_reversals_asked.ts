import { Migration } from '@mikro-orm/migrations'

/** The index of payments whose reversal waits for an admin. */
export class Migration20261126200507_reversals_asked extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists payment_reversal_asked on payment (organization_id, reversal_asked_by)
        where reversal_asked_by is not null`)
  }
}
