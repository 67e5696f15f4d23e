import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/** From the ramp to the signature: signatures, shares of the payers, the flight log. */
export class Migration20261126032008_dispatch extends Migration {
  override up(): void {
    this.addSql(`
      create table confirmation (${tenantRecord}
        reservation_id integer not null,
        membership_id integer not null,
        side text not null,
        confirmed_at timestamptz(3) not null,
        recorded_by integer,
        amounts jsonb not null default '[]',
        unique (reservation_id, membership_id),
        constraint confirmation_recorded_by_fkey foreign key (organization_id, recorded_by) references membership
          (organization_id, id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id)
      )`)
    this.addSql('create index confirmation_member on confirmation (organization_id, membership_id)')
    this.addSql(`
      create index confirmation_recorded_by on confirmation (organization_id, recorded_by)
        where recorded_by is not null`)
    this.addSql(`
      create table payer_stake (${tenantRecord}
        reservation_id integer not null,
        position smallint not null,
        membership_id integer,
        guest_id integer,
        kind text not null check (kind in ('readings', 'percentage', 'waived')),
        hobbs_out integer,
        hobbs_in integer,
        tach_out integer,
        tach_in integer,
        percentage_bps integer check (percentage_bps >= 0 and percentage_bps <= 10000),
        check (num_nonnulls(membership_id, guest_id) = 1),
        unique (reservation_id, membership_id),
        unique (reservation_id, guest_id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, guest_id) references guest (organization_id, id)
      )`)
    this.addSql('create index payer_stake_member on payer_stake (organization_id, membership_id)')
    this.addSql('create index payer_stake_guest on payer_stake (organization_id, guest_id) where guest_id is not null')
    this.addSql(`
      create table flight_log (${tenantRecord}
        reservation_id integer not null,
        membership_id integer not null,
        pic_tenths integer not null default 0 check (pic_tenths >= 0),
        solo_tenths integer not null default 0 check (solo_tenths >= 0),
        dual_received_tenths integer not null default 0 check (dual_received_tenths >= 0),
        instruction_tenths integer not null default 0 check (instruction_tenths >= 0),
        cross_country_tenths integer not null default 0 check (cross_country_tenths >= 0),
        night_tenths integer not null default 0 check (night_tenths >= 0),
        actual_instrument_tenths integer not null default 0 check (actual_instrument_tenths >= 0),
        simulated_instrument_tenths integer not null default 0 check (simulated_instrument_tenths >= 0),
        simulator_tenths integer not null default 0 check (simulator_tenths >= 0),
        day_takeoffs integer not null default 0 check (day_takeoffs >= 0),
        day_landings integer not null default 0 check (day_landings >= 0),
        day_full_stops integer not null default 0 check (day_full_stops >= 0),
        night_takeoffs integer not null default 0 check (night_takeoffs >= 0),
        night_landings integer not null default 0 check (night_landings >= 0),
        night_full_stops integer not null default 0 check (night_full_stops >= 0),
        holds integer not null default 0 check (holds >= 0),
        approaches jsonb not null default '[]',
        route text,
        remarks text,
        written_by integer not null,
        unique (organization_id, reservation_id, membership_id),
        foreign key (organization_id, written_by) references membership (organization_id, id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id)
      )`)
    this.addSql('create index flight_log_membership_id on flight_log (organization_id, membership_id)')
    this.addSql('create index flight_log_written_by on flight_log (organization_id, written_by)')
    this.addSql(`
      create table charge_notice (${tenantRecord}
        reservation_id integer not null,
        membership_id integer not null,
        amount_cents integer not null check (amount_cents > 0),
        notified_at timestamptz(3),
        given_up_at timestamptz(3),
        unique (organization_id, reservation_id, membership_id),
        unique (organization_id, id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id)
      )`)
    this.addSql('create index charge_notice_member on charge_notice (organization_id, membership_id)')
  }
}
