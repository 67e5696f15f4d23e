import { Migration } from '@mikro-orm/migrations'

/** The bookings of a type, and of a status, in the order of their list. */
export class Migration20261122233355_reservation_filters extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists reservation_type
        on reservation (organization_id, type, starts_at desc, id desc)`)
    this.addSql(`
      create index concurrently if not exists reservation_status
        on reservation (organization_id, (case when cancelled_at is not null then 'cancelled'
          when signed_off_at is not null then case when billed then 'invoiced' else 'signed_off' end
          when ramped_in_at is not null or (ramped_out_at is null and briefing_tenths is not null) then 'ramped_in'
          when ramped_out_at is not null then 'ramped_out' else 'booked' end), starts_at desc, id desc)`)
  }
}
