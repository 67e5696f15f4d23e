import { Migration } from '@mikro-orm/migrations'

/** An upload form ends before its time when who arranged it is removed, or loses the role that it needed. */
export class Migration20261122073408_upload_forms extends Migration {
  override up(): void {
    for (const table of ['resource_file', 'document']) {
      this.addSql(`alter table ${table} add column form_ended_at timestamptz(3)`)
    }
  }
}
