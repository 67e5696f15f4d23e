import { Migration } from '@mikro-orm/migrations'

/** An override keeps the document of the person whom it is about: the paper that was seen. */
export class Migration20261126191427_override_papers extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('create unique index concurrently if not exists document_by_id on document (organization_id, id)')
    this.addSql('alter table rule_override add column if not exists document_id integer')
    this.addSql(`
      create index concurrently if not exists rule_override_document on rule_override (organization_id, document_id)`)
    this.addSql(`
      do $block$
      begin
        if not exists (select from pg_constraint where conname = 'rule_override_document_fkey') then
          alter table rule_override add constraint rule_override_document_fkey
            foreign key (organization_id, document_id) references document (organization_id, id)
            on delete set null (document_id);
        end if;
      end $block$`)
  }
}
