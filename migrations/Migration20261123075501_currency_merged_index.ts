import { Migration } from '@mikro-orm/migrations'

/** The dates of currencies that came from a merged member. */
export class Migration20261123075501_currency_merged_index extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists currency_record_merged_from on currency_record (organization_id, merged_from)
        where merged_from is not null`)
  }
}
