import { Migration } from '@mikro-orm/migrations'
import { referenceIndex, tenantRecord } from './tenant-record.ts'

/** What each person on a flight logs of it; times are tenths of hours. */
export class Migration20261122164723_flight_log extends Migration {
  override up(): void {
    const figures = [
      'pic_tenths',
      'solo_tenths',
      'dual_received_tenths',
      'instruction_tenths',
      'cross_country_tenths',
      'night_tenths',
      'actual_instrument_tenths',
      'simulated_instrument_tenths',
      'simulator_tenths',
      'day_takeoffs',
      'day_landings',
      'day_full_stops',
      'night_takeoffs',
      'night_landings',
      'night_full_stops',
      'holds',
    ]
    this.addSql(`
      create table flight_log (${tenantRecord}
        transaction_id xid8,
        reservation_id integer not null,
        membership_id integer not null,
        ${figures.map((figure) => `${figure} integer not null default 0 check (${figure} >= 0)`).join(',\n        ')},
        approaches jsonb not null default '[]',
        route text,
        remarks text,
        written_by integer not null,
        unique (organization_id, reservation_id, membership_id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, written_by) references membership (organization_id, id)
      )`)
    this.addSql(referenceIndex('flight_log', 'membership_id', { optional: false }))
    this.addSql(referenceIndex('flight_log', 'written_by', { optional: false }))
    this.addSql(
      'create trigger write_stamp before insert or update on flight_log for each row execute function stamp_row()',
    )
  }
}
