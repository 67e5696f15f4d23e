import { Migration } from '@mikro-orm/migrations'

/** What finds the ends of which a notice is due, and the documents that somebody verified. */
export class Migration20261122114544_expiry_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists document_expiring on document (expires_at)
        where expires_at is not null`)
    this.addSql(`
      create index concurrently if not exists endorsement_expiring on endorsement (expires_at)
        where expires_at is not null and superseded_at is null`)
    this.addSql(`
      create index concurrently if not exists document_verified_by on document (organization_id, verified_by)
        where verified_by is not null`)
  }
}
