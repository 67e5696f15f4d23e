import { Migration } from '@mikro-orm/migrations'

/** The flights that somebody confirmed for others. */
export class Migration20261123171501_confirmed_on_behalf_index extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`create index concurrently if not exists confirmation_recorded_by on confirmation (organization_id, recorded_by)
      where recorded_by is not null`)
  }
}
