import { Migration } from '@mikro-orm/migrations'

/** Checks the rows that were there before payments from the ledger, while others read and write them. */
export class Migration20261126190533_ledger_payment_checks extends Migration {
  override up(): void {
    this.addSql('alter table payment validate constraint payment_method_check')
    this.addSql('alter table payment validate constraint payment_from_ledger')
    this.addSql('alter table payment validate constraint payment_organization_id_ledger_entry_id_fkey')
    this.addSql('alter table invoice validate constraint invoice_refunded_to_ledger')
    this.addSql('alter table invoice validate constraint invoice_organization_id_raised_by_fkey')
  }
}
