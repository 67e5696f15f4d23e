import { Migration } from '@mikro-orm/migrations'

/** A file of a completion goes with it. */
export class Migration20261122205206_completion_files extends Migration {
  override up(): void {
    this.addSql(`
      alter table resource_file
        add constraint resource_file_completion_fkey foreign key (organization_id, completion_id)
        references maintenance_completion (organization_id, id) on delete cascade`)
  }
}
