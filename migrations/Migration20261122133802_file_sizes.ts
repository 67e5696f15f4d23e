import { Migration } from '@mikro-orm/migrations'

/** The size of each stored file, for the limits of an organization. Sizes of files from before are not known. */
export class Migration20261122133802_file_sizes extends Migration {
  override up(): void {
    for (const table of ['resource_file', 'document']) {
      this.addSql(`alter table ${table} add column size_bytes integer check (size_bytes >= 0)`)
    }
  }
}
