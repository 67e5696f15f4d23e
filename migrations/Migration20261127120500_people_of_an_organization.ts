import { Migration } from '@mikro-orm/migrations'

/**
 * Statistics that tell PostgreSQL that a person and an aircraft belong to one organization. Without them it multiplies
 * the two conditions of each query as if they were independent, expects a thousandth of the rows among a thousand
 * organizations, and may read all seats that a person ever had instead of those of a week.
 */
export class Migration20261127120500_people_of_an_organization extends Migration {
  override up(): void {
    this.addSql('create statistics seat_person (dependencies) on organization_id, membership_id from seat')
    this.addSql('create statistics reservation_place (dependencies) on organization_id, resource_id from reservation')
    this.addSql('analyze seat (organization_id, membership_id), reservation (organization_id, resource_id)')
  }
}
