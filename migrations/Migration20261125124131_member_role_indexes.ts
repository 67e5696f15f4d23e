import { Migration } from '@mikro-orm/migrations'

/**
 * The members of an organization by role, beside its instructors, who have an index already; and its former members. One index
 * serves all roles that few have. Each is in the order of the list.
 */
export class Migration20261125124131_member_role_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    for (const [name, where] of [
      ['membership_staff', '(owner or admin or dispatcher or technician) and removed_at is null'],
      ['membership_students', 'student and removed_at is null'],
      ['membership_renters', 'renter and removed_at is null'],
      ['membership_removed', 'removed_at is not null'],
    ]) {
      this.addSql(
        `create index concurrently if not exists ${name} on membership (organization_id, search_name, id) where ${where}`,
      )
    }
  }
}
