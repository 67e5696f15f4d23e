import { Migration } from '@mikro-orm/migrations'

/** The audit log is read by time. No transaction, because the index is built without holding up writers. */
export class Migration20261122112551_audit_order extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('create index concurrently if not exists event_when on event (organization_id, at, sequence)')
    this.addSql('drop index concurrently if exists event_in_order')
  }
}
