import { Migration } from '@mikro-orm/migrations'

/** An import by a file that is uploaded: its object, and the state of its upload. */
export class Migration20261123215000_import_uploads extends Migration {
  override up(): void {
    this.addSql(`
      alter table import_file alter column content drop not null,
        add column content_type text, add column storage_key text, add column size_bytes integer,
        add column upload text not null default 'stored' check (upload in ('awaited', 'stored', 'missing')),
        add column form_ended_at timestamptz(3),
        add constraint import_file_given check (num_nonnulls(content, storage_key) = 1)`)
  }
}
