import { Migration } from '@mikro-orm/migrations'

/** The signed flights of a window, by the ramp-in or else the booked end, for the pay of instructors. */
export class Migration20261127010416_signed_flights extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists reservation_signed on reservation (organization_id, coalesce(ramped_in_at, ends_at))
        where live and signed_off_at is not null and (ramped_in_at is not null or briefing_tenths is not null)`)
  }
}
