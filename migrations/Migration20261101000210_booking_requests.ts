import { Migration } from '@mikro-orm/migrations'
import { referenceIndex, tenantRecord } from './tenant-record.ts'

/** What members and guests ask for and the desk decides, and what a school offers to the public. */
export class Migration20261101000210_booking_requests extends Migration {
  override up(): void {
    this.addSql(`
      create table offering (${tenantRecord}
        name text not null,
        description text,
        duration_minutes integer not null check (duration_minutes > 0),
        price_cents integer check (price_cents >= 0),
        collection_style text not null check (collection_style in ('close_out', 'prepaid_fixed')),
        active boolean not null default true,
        unique (organization_id, id),
        check (collection_style <> 'prepaid_fixed' or price_cents >= 50)
      )`)
    for (const [thing, column, table] of [
      ['resource', 'resource_id', 'resource'],
      ['instructor', 'membership_id', 'membership'],
    ] as const) {
      this.addSql(`
        create table offering_${thing} (${tenantRecord}
          offering_id integer not null,
          ${column} integer not null,
          unique (organization_id, offering_id, ${column}),
          foreign key (organization_id, offering_id) references offering (organization_id, id) on delete cascade,
          foreign key (organization_id, ${column}) references ${table} (organization_id, id) on delete cascade
        )`)
      this.addSql(referenceIndex(`offering_${thing}`, column, { optional: false }))
    }
    // Who asks is a member or a guest; a guest's name and address wait here until the mailed link was opened.
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
        meeting_key text,
        meeting_claimed_until timestamptz(3),
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
        check (starts_at < ends_at),
        check ((requester_id is null) = (guest_email is not null)),
        check ((status = 'approved') = (reservation_id is not null)),
        check (meeting is null or type = 'ground'),
        unique (organization_id, id),
        foreign key (organization_id, resource_id) references resource (organization_id, id)
          on delete set null (resource_id),
        foreign key (organization_id, location_id) references location (organization_id, id),
        foreign key (organization_id, requester_id) references membership (organization_id, id),
        foreign key (organization_id, guest_id) references guest (organization_id, id),
        foreign key (organization_id, offering_id) references offering (organization_id, id)
          on delete set null (offering_id),
        foreign key (organization_id, decided_by) references membership (organization_id, id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id)
      )`)
    this.addSql(`create index booking_request_open on booking_request (organization_id, starts_at)
      where status in ('awaiting_confirmation', 'pending')`)
    this.addSql(`create unique index booking_request_reservation on booking_request (organization_id, reservation_id)
      where reservation_id is not null`)
    this.addSql(`create index booking_request_to_invite on booking_request (organization_id, decided_at)
      where status = 'approved' and guest_email is not null and invited_at is null`)
    this.addSql(`create index booking_request_held on booking_request (organization_id, resource_id, held_until)
      where held_until is not null`)
    for (const column of ['resource_id', 'location_id', 'requester_id', 'guest_id', 'offering_id', 'decided_by']) {
      this.addSql(referenceIndex('booking_request', column, { optional: true }))
    }
    this.addSql(`
      create table booking_request_seat (${tenantRecord}
        booking_request_id integer not null,
        position smallint not null,
        side text not null
          check (side in ('instructors', 'students', 'renters', 'pilots', 'guests')),
        membership_id integer,
        guest_id integer,
        unique (organization_id, booking_request_id, position),
        check ((membership_id is null) <> (guest_id is null)),
        foreign key (organization_id, booking_request_id)
          references booking_request (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, guest_id) references guest (organization_id, id)
      )`)
    this.addSql(referenceIndex('booking_request_seat', 'membership_id', { optional: true }))
    this.addSql(referenceIndex('booking_request_seat', 'guest_id', { optional: true }))
  }
}
