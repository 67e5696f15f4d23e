import { Migration } from '@mikro-orm/migrations'

/** The index by which the currencies that a member ended are found. */
export class Migration20261126190613_ended_currency_index extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists currency_record_ended_by on currency_record (organization_id, ended_by)
        where ended_by is not null`)
  }
}
