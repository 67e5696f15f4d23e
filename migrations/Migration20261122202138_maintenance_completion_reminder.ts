import { Migration } from '@mikro-orm/migrations'

/** The index of completions that another item satisfied. */
export class Migration20261122202138_maintenance_completion_reminder extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists maintenance_completion_satisfied_by
      on maintenance_completion (organization_id, satisfied_by_id) where satisfied_by_id is not null`)
  }
}
