import { Migration } from '@mikro-orm/migrations'

/** Who of the desk confirmed a flight for a member who cannot sign in. */
export class Migration20261123171500_confirmed_on_behalf extends Migration {
  override up(): void {
    this.addSql('alter table confirmation add column recorded_by int')
    this.addSql(`alter table confirmation add constraint confirmation_recorded_by_fkey
      foreign key (organization_id, recorded_by) references membership (organization_id, id)`)
  }
}
