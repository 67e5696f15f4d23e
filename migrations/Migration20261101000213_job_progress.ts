import { Migration } from '@mikro-orm/migrations'

/** What a job that does many things one by one has done already, so that its next run does the rest. */
export class Migration20261101000213_job_progress extends Migration {
  override up(): void {
    this.addSql("alter table outbox add column done jsonb not null default '[]'")
  }
}
