import { Migration } from '@mikro-orm/migrations'

/** An endorsement that was brought in by an import is marked as such. */
export class Migration20261123070838_endorsement_imported extends Migration {
  override up(): void {
    this.addSql('alter table endorsement add column imported boolean not null default false')
  }
}
