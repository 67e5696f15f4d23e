import { Migration } from '@mikro-orm/migrations'

/** Checks the rows that were there before bill-to payers, while others read and write them. */
export class Migration20261126224933_bill_to_checks extends Migration {
  override up(): void {
    this.addSql('alter table membership validate constraint membership_bill_to_other')
    this.addSql('alter table membership validate constraint membership_bill_to_consent')
    this.addSql('alter table membership validate constraint membership_organization_id_bill_to_id_fkey')
    this.addSql('alter table invoice validate constraint invoice_billed_for_other')
    this.addSql('alter table invoice validate constraint invoice_organization_id_billed_for_id_fkey')
  }
}
