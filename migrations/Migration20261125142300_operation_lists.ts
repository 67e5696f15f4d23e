import { Migration } from '@mikro-orm/migrations'

/** The operations of a kind or a status are found in the order of their list, latest first. */
export class Migration20261125142300_operation_lists extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('create index concurrently if not exists operation_kind on operation (organization_id, kind, id desc)')
    this.addSql(
      'create index concurrently if not exists operation_status on operation (organization_id, status, id desc)',
    )
  }
}
