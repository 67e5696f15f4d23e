import { Migration } from '@mikro-orm/migrations'

/** The endorsements that a document proves, for the day on which it is deleted. */
export class Migration20261122205110_endorsement_document extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists endorsement_document_id
        on endorsement (organization_id, membership_id, document_id)`)
  }
}
