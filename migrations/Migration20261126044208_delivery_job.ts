import { Migration } from '@mikro-orm/migrations'

/** The job that makes a call, so that a call left open is closed when its job has ended. */
export class Migration20261126044208_delivery_job extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('alter table delivery add column if not exists job_id uuid')
    this.addSql('create index concurrently if not exists delivery_open on delivery (created_at) where outcome is null')
  }
}
