import { Migration } from '@mikro-orm/migrations'

/** Until when the processor takes evidence in a dispute; unknown of those that were read before. */
export class Migration20261125125700_dispute_due extends Migration {
  override up(): void {
    this.addSql('alter table invoice add column dispute_due_at timestamptz(3)')
  }
}
