import { Migration } from '@mikro-orm/migrations'

/** The members of a pool. */
export class Migration20261126224615_pool_index extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists resource_pool on resource (organization_id, lower(pool))
        where pool is not null`)
  }
}
