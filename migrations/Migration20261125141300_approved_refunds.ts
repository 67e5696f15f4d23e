import { Migration } from '@mikro-orm/migrations'

/** When a second admin approved the refund of a credit note: it no longer counts against the limit of who asked for it. */
export class Migration20261125141300_approved_refunds extends Migration {
  override up(): void {
    this.addSql('alter table credit_note add column refund_approved_at timestamptz(3)')
  }
}
