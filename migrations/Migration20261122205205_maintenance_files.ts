import { Migration } from '@mikro-orm/migrations'

/** The indexes of files of squawks and completions, of deferrals that end, and the key that files refer to. */
export class Migration20261122205205_maintenance_files extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create unique index concurrently if not exists maintenance_completion_key
      on maintenance_completion (organization_id, id)`)
    this.addSql(`
      create index concurrently if not exists resource_file_squawk_id
      on resource_file (organization_id, squawk_id) where squawk_id is not null`)
    this.addSql(`
      create index concurrently if not exists resource_file_completion_id
      on resource_file (organization_id, completion_id) where completion_id is not null`)
    this.addSql(`
      create index concurrently if not exists squawk_deferred
      on squawk (deferred_until) where status = 'deferred' and not deferral_ended`)
  }
}
