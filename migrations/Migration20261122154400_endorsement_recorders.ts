import { Migration } from '@mikro-orm/migrations'

/** What finds the endorsements that a member recorded for somebody else. */
export class Migration20261122154400_endorsement_recorders extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists endorsement_recorded_by on endorsement (organization_id, recorded_by)
        where recorded_by is not null`)
  }
}
