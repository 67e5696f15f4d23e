import { Migration } from '@mikro-orm/migrations'

/** The open disputes of an organization. */
export class Migration20261124040501_disputes_index extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists invoice_disputed
        on invoice (organization_id, disputed_at) where dispute_status = 'open'`)
  }
}
