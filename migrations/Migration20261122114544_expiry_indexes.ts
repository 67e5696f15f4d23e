import { Migration } from '@mikro-orm/migrations'

/** What finds the ends of which a notice is due, and the documents that somebody verified. */
export class Migration20261122114544_expiry_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('drop index concurrently if exists document_expiring')
    this.addSql('drop index concurrently if exists endorsement_expiring')
    this.addSql(`
      create index concurrently if not exists document_expiry on document (expires_at)
        where expires_at is not null`)
    this.addSql(`
      create index concurrently if not exists endorsement_expiry on endorsement (expires_at)
        where expires_at is not null and superseded_at is null`)
    this.addSql(`
      create index concurrently if not exists document_verified_by on document (organization_id, verified_by)
        where verified_by is not null`)
  }
}
