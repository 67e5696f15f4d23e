import { Migration } from '@mikro-orm/migrations'

/** Since when a payer disputes an invoice: an open dispute waits on the to-do list of admins. */
export class Migration20261124040500_disputes extends Migration {
  override up(): void {
    this.addSql('alter table invoice add column disputed_at timestamptz(3)')
    this.addSql('update invoice set disputed_at = updated_at where dispute_status is not null')
  }
}
