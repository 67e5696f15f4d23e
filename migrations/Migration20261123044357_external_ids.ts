import { Migration } from '@mikro-orm/migrations'

/** A location or resource is found by the name that a school's own system has for it, which is given once. */
export class Migration20261123044357_external_ids extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    for (const table of ['location', 'resource'])
      this.addSql(
        `create unique index concurrently if not exists ${table}_external_id on ${table} (organization_id, external_id)
          where external_id is not null`,
      )
  }
}
