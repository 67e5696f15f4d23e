import { Migration } from '@mikro-orm/migrations'

/** The rows of an operation by outcome: the few that were refused among those that were done. */
export class Migration20261125124201_operation_row_outcome extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists operation_row_outcome
        on operation_row (organization_id, operation_id, outcome, number)`)
  }
}
