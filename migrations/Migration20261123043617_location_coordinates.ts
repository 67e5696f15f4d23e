import { Migration } from '@mikro-orm/migrations'

/** Where a location is, in degrees north and east, as far as it is known: for the times of the sun. */
export class Migration20261123043617_location_coordinates extends Migration {
  override up(): void {
    this.addSql(`
      alter table location
        add column latitude double precision check (latitude between -90 and 90),
        add column longitude double precision check (longitude between -180 and 180)`)
    this.addSql(`
      alter table location add constraint location_coordinates check ((latitude is null) = (longitude is null)) not valid`)
    this.addSql('alter table location validate constraint location_coordinates')
  }
}
