import { Migration } from '@mikro-orm/migrations'

/** The members who were merged into one, and what came from them. */
export class Migration20261123042703_merge_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    for (const [table, column] of [
      ['membership', 'merged_into'],
      ['endorsement', 'merged_from'],
      ['enrollment', 'merged_from'],
    ]) {
      this.addSql(`
        create index concurrently if not exists ${table}_${column} on ${table} (organization_id, ${column})
          where ${column} is not null`)
    }
  }
}
