import { Migration } from '@mikro-orm/migrations'

/** Refunds that wait for an admin. */
export class Migration20261123035618_refund_approval extends Migration {
  override up(): void {
    this.addSql('alter table invoice add column refund_waiting_at timestamptz(3)')
  }
}
