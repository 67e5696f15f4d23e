import { Migration } from '@mikro-orm/migrations'

/** When the money of a credit note went back: it counts in the revenue of that day. */
export class Migration20261123222900_credit_refunded extends Migration {
  override up(): void {
    this.addSql('alter table credit_note add column refunded_at timestamptz(3)')
    this.addSql('update credit_note set refunded_at = updated_at where refunded_cents > 0')
  }
}
