import { Migration } from '@mikro-orm/migrations'

/** What proves an endorsement that somebody recorded in another's name: their confirmation, or a document. */
export class Migration20261122202834_endorsement_proof extends Migration {
  override up(): void {
    this.addSql(`
      alter table endorsement
        add column confirmed_at timestamptz(3),
        add column disowned_at timestamptz(3),
        add column document_id integer,
        add foreign key (organization_id, membership_id, document_id) references document (organization_id, membership_id, id)
          on delete set null (document_id)`)
    this.addSql('create index endorsement_document_id on endorsement (organization_id, document_id)')
  }
}
