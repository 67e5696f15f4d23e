import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/** Time: bookings, requests, closures, offerings, calendars, weather. */
export class Migration20261126032007_scheduling extends Migration {
  override up(): void {
    this.addSql('create sequence reservation_series_id as integer')
    this.addSql('create sequence closure_series_id')
    this.addSql(`
      create table reservation (${tenantRecord}
        title text not null,
        type text not null
          check (type in ('solo', 'shared', 'dual', 'ground', 'guest', 'sim', 'rental', 'maintenance')),
        starts_at timestamptz(3) not null,
        ends_at timestamptz(3) not null,
        time_zone_name text not null,
        notes text,
        resource_id integer,
        location_id integer,
        created_by integer not null,
        series_id integer,
        series_index integer,
        series_count integer,
        live boolean not null default true,
        cancelled_at timestamptz(3),
        cancelled_by integer,
        cancellation_reason text,
        cancellation_category text,
        collection_style text not null default 'close_out' check (collection_style in ('close_out', 'prepaid_fixed')),
        prepaid_amount_cents integer check (prepaid_amount_cents >= 50),
        ramped_out_at timestamptz(3),
        ramped_in_at timestamptz(3),
        hobbs_out integer check (hobbs_out >= 0),
        hobbs_in integer check (hobbs_in >= 0),
        tach_out integer check (tach_out >= 0),
        tach_in integer check (tach_in >= 0),
        briefing_tenths integer check (briefing_tenths >= 0),
        signed_off_at timestamptz(3),
        meeting_url text,
        reminded_for timestamptz(3),
        signatures_cleared_at timestamptz(3),
        review_reminder_stage smallint not null default 0,
        uid uuid not null default gen_random_uuid(),
        billed boolean not null default false,
        passengers smallint not null default 0 check (passengers >= 0),
        ifr boolean not null default false,
        expected_back_at timestamptz(3),
        overdue_stage smallint not null default 0,
        weather_judged_for timestamptz(3),
        payers_sign boolean not null default false,
        check (starts_at < ends_at),
        check (live = (cancelled_at is null)),
        check (hobbs_in >= hobbs_out),
        check (tach_in >= tach_out),
        check (ramped_in_at is null or ramped_out_at is not null),
        check ((collection_style = 'prepaid_fixed') = (prepaid_amount_cents is not null)),
        unique (organization_id, id, starts_at, ends_at, live),
        unique (organization_id, id),
        constraint reservation_resource_clash exclude using gist (organization_id with =, resource_id with =,
          tstzrange(starts_at, ends_at) with &&) where ((live and (resource_id is not null))),
        foreign key (organization_id, resource_id) references resource (organization_id, id),
        foreign key (organization_id, location_id) references location (organization_id, id),
        foreign key (organization_id, created_by) references membership (organization_id, id),
        foreign key (organization_id, cancelled_by) references membership (organization_id, id)
      )`)
    this.addSql(`
      create index reservation_window on reservation using gist (organization_id, tstzrange(starts_at, ends_at))`)
    this.addSql('create index reservation_start on reservation (organization_id, starts_at desc, id desc)')
    this.addSql('create index reservation_resource on reservation (organization_id, resource_id, starts_at desc)')
    this.addSql(`
      create index reservation_series on reservation (organization_id, series_id) where series_id is not null`)
    this.addSql('create index reservation_to_remind on reservation (starts_at) where live and reminded_for is null')
    this.addSql('create index reservation_creator on reservation (organization_id, created_by)')
    this.addSql(`
      create index reservation_canceller on reservation (organization_id, cancelled_by) where cancelled_by is not null`)
    this.addSql(`
      create index reservation_location on reservation (organization_id, location_id) where location_id is not null`)
    this.addSql(`
      create index reservation_unsigned on reservation (coalesce(signatures_cleared_at, ramped_in_at, ends_at))
        where live and (ramped_in_at is not null or type = 'ground' or type = 'sim' and resource_id is null) and
          signed_off_at is null and review_reminder_stage < 7`)
    this.addSql(`
      create index reservation_ended on reservation (organization_id, least(ends_at, ramped_in_at))
        where live and (ramped_in_at is not null or briefing_tenths is not null)`)
    this.addSql(`
      create index reservation_cancelled on reservation (organization_id, cancelled_at) where cancelled_at is not null`)
    this.addSql(`
      create index reservation_text on reservation using gin (organization_id, title gin_trgm_ops, notes gin_trgm_ops)
        with (gin_pending_list_limit='256')`)
    this.addSql(`
      create index reservation_uninvoiced on reservation (organization_id, starts_at desc, id desc)
        where live and not billed`)
    this.addSql('create index reservation_type on reservation (organization_id, type, starts_at desc, id desc)')
    this.addSql(`
      create index reservation_status on reservation (organization_id, (
case
    when (cancelled_at is not null) then 'cancelled'
    when (signed_off_at is not null) then
    case
        when billed then 'invoiced'
        else 'signed_off'
    end
    when ((ramped_in_at is not null) or ((ramped_out_at is null) and (briefing_tenths is not null))) then 'ramped_in'
    when (ramped_out_at is not null) then 'ramped_out'
    else 'booked'
end), starts_at desc, id desc)`)
    this.addSql(`
      create index reservation_expected_back on reservation (expected_back_at)
        where live and ramped_out_at is not null and ramped_in_at is null`)
    this.addSql(`
      create index reservation_to_invoice on reservation (organization_id, signed_off_at)
        where live and not billed and signed_off_at is not null`)
    this.addSql(`
      create unique index reservation_resource_out on reservation (organization_id, resource_id)
        where live and resource_id is not null and ramped_out_at is not null and ramped_in_at is null`)
    this.addSql(`
      create table seat (${tenantRecord}
        reservation_id integer not null,
        side text not null check (side in ('instructors', 'students', 'renters', 'pilots', 'guests')),
        position smallint not null check ("position" >= 0),
        membership_id integer,
        guest_id integer,
        starts_at timestamptz(3) not null,
        ends_at timestamptz(3) not null,
        live boolean not null default true,
        check (num_nonnulls(membership_id, guest_id) = 1),
        check ((side = 'guests') = (guest_id is not null)),
        unique (reservation_id, membership_id),
        unique (reservation_id, guest_id),
        constraint seat_person_clash exclude using gist (organization_id with =, membership_id with =,
          tstzrange(starts_at, ends_at) with &&) where ((live and (membership_id is not null))),
        constraint seat_guest_clash exclude using gist (organization_id with =, guest_id with =, tstzrange(starts_at,
          ends_at) with &&) where ((live and (guest_id is not null))),
        foreign key (organization_id, guest_id) references guest (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, reservation_id, starts_at, ends_at, live) references reservation
          (organization_id, id, starts_at, ends_at, live) on UPDATE CASCADE on delete cascade
      )`)
    this.addSql('create index seat_member on seat (organization_id, membership_id, starts_at desc)')
    this.addSql('create index seat_guest on seat (organization_id, guest_id) where guest_id is not null')
    this.addSql(`
      create table calendar_feed (${tenantRecord}
        membership_id integer not null,
        seed text not null,
        token_hash text not null unique,
        unique (organization_id, membership_id),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql(`
      create table offering (${tenantRecord}
        name text not null,
        description text,
        duration_minutes integer not null check (duration_minutes > 0),
        price_cents integer check (price_cents >= 0),
        collection_style text not null check (collection_style in ('close_out', 'prepaid_fixed')),
        active boolean not null default true,
        check (collection_style <> 'prepaid_fixed' or price_cents >= 50),
        unique (organization_id, id)
      )`)
    this.addSql(`
      create table offering_resource (${tenantRecord}
        offering_id integer not null,
        resource_id integer not null,
        unique (organization_id, offering_id, resource_id),
        foreign key (organization_id, resource_id) references resource (organization_id, id) on delete cascade,
        foreign key (organization_id, offering_id) references offering (organization_id, id) on delete cascade
      )`)
    this.addSql('create index offering_resource_resource_id on offering_resource (organization_id, resource_id)')
    this.addSql(`
      create table offering_instructor (${tenantRecord}
        offering_id integer not null,
        membership_id integer not null,
        unique (organization_id, offering_id, membership_id),
        foreign key (organization_id, offering_id) references offering (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql(`
      create index offering_instructor_membership_id on offering_instructor (organization_id, membership_id)`)
    this.addSql(`
      create table booking_request (${tenantRecord}
        status text not null
          check (status in ('awaiting_confirmation', 'pending', 'approved', 'declined', 'cancelled')),
        type text not null
          check (type in ('solo', 'shared', 'dual', 'ground', 'guest', 'sim', 'rental', 'maintenance')),
        starts_at timestamptz(3) not null,
        ends_at timestamptz(3) not null,
        time_zone_name text not null,
        title text not null,
        notes text,
        meeting_url text,
        meeting jsonb,
        meeting_error text,
        resource_id integer,
        location_id integer,
        rating_id integer,
        requester_id integer,
        guest_name text,
        guest_email text check (guest_email = lower(guest_email)),
        guest_phone text,
        guest_id integer,
        offering_id integer,
        collection_style text not null default 'close_out' check (collection_style in ('close_out', 'prepaid_fixed')),
        prepaid_amount_cents integer check (prepaid_amount_cents >= 50),
        held_until timestamptz(3),
        seed text,
        token_hash text unique,
        token_expires_at timestamptz(3),
        confirmed_at timestamptz(3),
        decided_by integer,
        decided_at timestamptz(3),
        reason text,
        reservation_id integer,
        invited_at timestamptz(3),
        passengers smallint not null default 0 check (passengers >= 0),
        ifr boolean not null default false,
        hold_ended_at timestamptz(3),
        network_mark text,
        check (starts_at < ends_at),
        check ((requester_id is null) = (guest_email is not null)),
        check ((status = 'approved') = (reservation_id is not null)),
        check (meeting is null or type = 'ground'),
        unique (organization_id, id),
        foreign key (organization_id, resource_id) references resource (organization_id, id) on delete set null
          (resource_id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id),
        foreign key (organization_id, requester_id) references membership (organization_id, id),
        foreign key (organization_id, offering_id) references offering (organization_id, id) on delete set null
          (offering_id),
        foreign key (organization_id, location_id) references location (organization_id, id),
        foreign key (organization_id, decided_by) references membership (organization_id, id),
        foreign key (organization_id, guest_id) references guest (organization_id, id)
      )`)
    this.addSql(`
      create index booking_request_open on booking_request (organization_id, starts_at)
        where status in ('awaiting_confirmation', 'pending')`)
    this.addSql(`
      create unique index booking_request_reservation on booking_request (organization_id, reservation_id)
        where reservation_id is not null`)
    this.addSql(`
      create index booking_request_to_invite on booking_request (organization_id, decided_at)
        where status = 'approved' and guest_email is not null and invited_at is null`)
    this.addSql(`
      create index booking_request_held on booking_request (organization_id, resource_id, held_until)
        where held_until is not null`)
    this.addSql(`
      create index booking_request_resource_id on booking_request (organization_id, resource_id)
        where resource_id is not null`)
    this.addSql(`
      create index booking_request_location_id on booking_request (organization_id, location_id)
        where location_id is not null`)
    this.addSql(`
      create index booking_request_requester_id on booking_request (organization_id, requester_id)
        where requester_id is not null`)
    this.addSql(`
      create index booking_request_guest_id on booking_request (organization_id, guest_id) where guest_id is not null`)
    this.addSql(`
      create index booking_request_offering_id on booking_request (organization_id, offering_id)
        where offering_id is not null`)
    this.addSql(`
      create index booking_request_decided_by on booking_request (organization_id, decided_by)
        where decided_by is not null`)
    this.addSql(`
      create index booking_request_unconfirmed on booking_request (created_at) where status = 'awaiting_confirmation'`)
    this.addSql(`
      create table booking_request_seat (${tenantRecord}
        booking_request_id integer not null,
        position smallint not null,
        side text not null check (side in ('instructors', 'students', 'renters', 'pilots', 'guests')),
        membership_id integer,
        guest_id integer,
        check ((membership_id is null) <> (guest_id is null)),
        unique (organization_id, booking_request_id, "position"),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, guest_id) references guest (organization_id, id),
        foreign key (organization_id, booking_request_id) references booking_request (organization_id, id) on delete
          cascade
      )`)
    this.addSql(`
      create index booking_request_seat_membership_id on booking_request_seat (organization_id, membership_id)
        where membership_id is not null`)
    this.addSql(`
      create index booking_request_seat_guest_id on booking_request_seat (organization_id, guest_id)
        where guest_id is not null`)
    this.addSql(`
      create table weather_station (
        station text primary key check (station ~ '^[A-Z][A-Z0-9]{2,3}$'),
        metar text,
        taf text,
        fetched_at timestamptz(3),
        unknown_until timestamptz(3),
        retry_at timestamptz(3),
        claimed_until timestamptz(3),
        asked_at timestamptz(3) not null default now()
      )`)
    this.addSql('create index weather_station_asked on weather_station (asked_at)')
    this.addSql(`
      create table weather_call (
        id integer generated by default as identity primary key,
        called_at timestamptz(3) not null default now()
      )`)
    this.addSql(`
      create table weather_request (
        organization_id integer not null references organization (id) on delete cascade,
        station text not null,
        updated_at timestamptz(3) not null default now(),
        transaction_id xid8,
        primary key (organization_id, station)
      )`)
    this.addSql(`
      create table closure (${tenantRecord}
        starts_at timestamptz(3) not null,
        ends_at timestamptz(3) not null,
        reason text not null,
        location_id integer,
        resource_id integer,
        series_id integer,
        recurrence jsonb,
        created_by integer not null,
        check (starts_at < ends_at),
        check (location_id is null or resource_id is null),
        check ((series_id is null) = (recurrence is null)),
        foreign key (organization_id, created_by) references membership (organization_id, id),
        foreign key (organization_id, location_id) references location (organization_id, id) on delete cascade,
        foreign key (organization_id, resource_id) references resource (organization_id, id) on delete cascade
      )`)
    this.addSql('create index closure_start on closure (organization_id, starts_at, id)')
    this.addSql('create index closure_end on closure (organization_id, ends_at)')
    this.addSql('create index closure_location on closure (organization_id, location_id)')
    this.addSql('create index closure_resource on closure (organization_id, resource_id)')
    this.addSql('create index closure_created_by on closure (organization_id, created_by)')
    this.addSql(`
      create table rule_override (${tenantRecord}
        reservation_id integer not null,
        rule text not null,
        membership_id integer,
        resource_id integer,
        starts_at timestamptz(3) not null,
        reason text not null check (length(btrim(reason)) >= 5),
        overridden_by integer not null,
        notified_at timestamptz(3),
        unique (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, overridden_by) references membership (organization_id, id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id) on delete cascade,
        foreign key (organization_id, resource_id) references resource (organization_id, id) on delete cascade
      )`)
    this.addSql('create index rule_override_reservation on rule_override (organization_id, reservation_id, id)')
    this.addSql('create index rule_override_resource on rule_override (organization_id, resource_id)')
    this.addSql('create index rule_override_person on rule_override (organization_id, membership_id)')
    this.addSql('create index rule_override_overridden_by on rule_override (organization_id, overridden_by)')
    this.addSql('create index rule_override_made on rule_override (organization_id, created_at)')
    this.addSql('create index rule_override_unnotified on rule_override (created_at) where notified_at is null')
    this.addSql(
      'create index rule_override_notified on rule_override (organization_id, notified_at) where notified_at is not null',
    )
    this.addSql(`
      create table reservation_at_risk (${tenantRecord}
        reservation_id integer not null,
        since timestamptz(3) not null,
        rules jsonb not null,
        causes jsonb not null,
        for_desk jsonb not null,
        for_others jsonb not null,
        digest text not null,
        unique (organization_id, reservation_id)
      )`)
    this.addSql(`
      create table at_risk_run (
        id integer generated by default as identity primary key,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        organization_id integer not null unique references organization (id) on delete cascade,
        transaction_id xid8,
        started_at timestamptz(3) not null
      )`)
    this.addSql(`
      create table at_risk_notice (${tenantRecord}
        membership_id integer not null,
        reservation_ids jsonb not null,
        notified_at timestamptz(3) not null,
        foreign key (organization_id, membership_id) references membership (organization_id, id)
      )`)
    this.addSql('create index at_risk_notice_member on at_risk_notice (organization_id, membership_id, notified_at)')
    this.addSql('create index at_risk_notice_notified on at_risk_notice (notified_at)')
  }
}
