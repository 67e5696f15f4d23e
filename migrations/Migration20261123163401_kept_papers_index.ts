import { Migration } from '@mikro-orm/migrations'

/** The papers that are deleted when their time is over. */
export class Migration20261123163401_kept_papers_index extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    for (const table of ['document', 'currency_record']) {
      this.addSql(`create index concurrently if not exists ${table}_kept_until on ${table} (kept_until)
        where kept_until is not null`)
    }
  }
}
