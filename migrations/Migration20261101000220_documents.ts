import { Migration } from '@mikro-orm/migrations'
import { referenceIndex, tenantRecord } from './tenant-record.ts'

/** Papers of members and of the organization; the bytes lie in object storage. Currency records name a member's own. */
export class Migration20261101000220_documents extends Migration {
  override up(): void {
    this.addSql(`
      create table document (${tenantRecord}
        title text not null,
        category text not null
          check (category in ('medical', 'certificate', 'identification', 'insurance', 'contract', 'other')),
        membership_id integer,
        expires_at timestamptz(3),
        expiry_told_at timestamptz(3),
        file_name text not null,
        content_type text not null,
        storage_key text not null unique,
        upload text not null default 'awaited' check (upload in ('awaited', 'stored', 'missing')),
        uploaded_by integer not null,
        unique (organization_id, membership_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, uploaded_by) references membership (organization_id, id)
      )`)
    this.addSql(referenceIndex('document', 'uploaded_by', { optional: false }))
    this.addSql(`
      create index document_expiring on document (expires_at)
        where expires_at is not null and (expiry_told_at is null or expiry_told_at < expires_at)`)
    this.addSql(`
      alter table currency_record add foreign key (organization_id, membership_id, document_id)
        references document (organization_id, membership_id, id) on delete set null (document_id)`)
  }
}
