import { Migration } from '@mikro-orm/migrations'

/** A solo flight can say where it goes, which decides the endorsements that its student needs. */
export class Migration20261126225737_solo_flights extends Migration {
  override up(): void {
    this.addSql('alter table reservation add column solo jsonb')
  }
}
