import { Migration } from '@mikro-orm/migrations'

/** What the resource of an offer was when it was made: its location, make, model and pool. */
export class Migration20261127081200_offered_resources extends Migration {
  override up(): void {
    this.addSql('alter table offer add column offered jsonb')
  }
}
