import { Migration } from '@mikro-orm/migrations'

/** What desk staff found of a document, for whom one of the organization is, and when its present file was arranged. */
export class Migration20261122113222_document_reviews extends Migration {
  override up(): void {
    this.addSql(`
      alter table document
        add column status text not null default 'pending' check (status in ('pending', 'verified', 'rejected')),
        add column note text,
        add column verified_by integer,
        add column verified_at timestamptz(3),
        add column roles jsonb not null default '[]',
        add column form_opened_at timestamptz(3) not null default now(),
        add check ((status = 'verified') = (verified_at is not null)),
        add check ((status = 'verified') = (verified_by is not null)),
        add check (membership_id is null or roles = '[]'),
        add foreign key (organization_id, verified_by) references membership (organization_id, id)`)
    this.addSql('update document set form_opened_at = created_at')
  }
}
