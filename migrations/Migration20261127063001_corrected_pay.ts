import { Migration } from '@mikro-orm/migrations'

/** The flights of a pay run whose figures were corrected after they were signed. */
export class Migration20261127063001_corrected_pay extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('alter table pay_line add column if not exists corrected boolean not null default false')
    this.addSql(`
      create index concurrently if not exists pay_line_corrected on pay_line (organization_id, pay_run_id, id)
        where corrected`)
  }
}
