import { Migration } from '@mikro-orm/migrations'

/** A currency can ask for so many hours in the make and model, in the class or in any aircraft: the clause of an insurer. */
export class Migration20261126230004_hours_in_model extends Migration {
  override up(): void {
    this.addSql(`
      alter table currency
        add column deci_hours integer check (deci_hours > 0),
        add column scope_of_hours text check (scope_of_hours in ('make_model', 'class', 'any')),
        drop constraint currency_kind_check,
        drop constraint currency_check1,
        add constraint currency_kind_check check (kind in ('expiring', 'recent_flights', 'hours_in_model', 'passenger_day',
          'passenger_night', 'instrument', 'flight_review', 'medical', 'instructor_certificate')),
        add constraint currency_days check (kind = 'hours_in_model' or (kind = 'recent_flights') = (flight_days is not null)),
        add constraint currency_hours check ((kind = 'hours_in_model') = (deci_hours is not null)
          and (kind = 'hours_in_model') = (scope_of_hours is not null))`)
  }
}
