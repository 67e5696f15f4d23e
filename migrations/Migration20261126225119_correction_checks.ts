import { Migration } from '@mikro-orm/migrations'

/** Validates the constraints of corrections of billed flights. */
export class Migration20261126225119_correction_checks extends Migration {
  override up(): void {
    this.addSql('alter table reservation validate constraint reservation_corrections')
    this.addSql('alter table reservation validate constraint reservation_organization_id_corrected_by_fkey')
  }
}
