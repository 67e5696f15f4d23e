import { Migration } from '@mikro-orm/migrations'

/** A job belongs to the trace of the request or job that enqueued it, where traces are on. */
export class Migration20261123065200_outbox_trace extends Migration {
  override up(): void {
    this.addSql('alter table outbox add column trace_parent text')
  }
}
