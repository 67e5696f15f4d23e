import { Migration } from '@mikro-orm/migrations'

/** The audit log is read by time. */
export class Migration20261122112551_audit_order extends Migration {
  override up(): void {
    this.addSql('create index event_when on event (organization_id, at, sequence)')
    this.addSql('drop index event_in_order')
  }
}
