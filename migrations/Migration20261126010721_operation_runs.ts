import { Migration } from '@mikro-orm/migrations'

/** How many runs of an operation began since its last progress and did not end. The release before counts none. */
export class Migration20261126010721_operation_runs extends Migration {
  override up(): void {
    this.addSql('alter table operation add column open_runs integer not null default 0')
  }
}
