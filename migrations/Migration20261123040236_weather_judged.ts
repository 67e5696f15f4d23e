import { Migration } from '@mikro-orm/migrations'

/** The start for which the weather of a booking was judged ahead of it: a booking that is moved is judged again. */
export class Migration20261123040236_weather_judged extends Migration {
  override up(): void {
    this.addSql('alter table reservation add column weather_judged_for timestamptz(3)')
  }
}
