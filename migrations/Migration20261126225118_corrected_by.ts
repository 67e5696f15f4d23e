import { Migration } from '@mikro-orm/migrations'

/** The index of the corrections of billed flights by who made them. */
export class Migration20261126225118_corrected_by extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists reservation_corrected_by on reservation (organization_id, corrected_by)
        where corrected_by is not null`)
  }
}
