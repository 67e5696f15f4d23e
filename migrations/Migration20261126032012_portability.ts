import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/** Imports. */
export class Migration20261126032012_portability extends Migration {
  override up(): void {
    this.addSql(`
      create table import_file (${tenantRecord}
        operation_id integer not null,
        content text,
        content_type text,
        storage_key text,
        size_bytes integer,
        upload text not null default 'stored' check (upload in ('awaited', 'stored', 'missing')),
        form_ended_at timestamptz(3),
        constraint import_file_given check (num_nonnulls(content, storage_key) = 1),
        unique (organization_id, operation_id),
        foreign key (organization_id, operation_id) references operation (organization_id, id) on delete cascade
      )`)
    this.addSql('create index import_file_created on import_file (created_at)')
    this.addSql(`
      create table import_row (${tenantRecord}
        operation_id integer not null,
        number integer not null,
        cells jsonb not null,
        unique (organization_id, operation_id, number),
        foreign key (organization_id, operation_id) references operation (organization_id, id) on delete cascade
      )`)
    this.addSql('create index import_row_created on import_row (created_at)')
  }
}
