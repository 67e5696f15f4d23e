import { Migration } from '@mikro-orm/migrations'

/** The instructors of an organization by name, whom openings ask for: few of its members. */
export class Migration20261122180506_membership_instructors extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists membership_instructors on membership (organization_id, search_name, id)
        where instructor and removed_at is null`)
  }
}
