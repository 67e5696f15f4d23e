import { Migration } from '@mikro-orm/migrations'

/** The waiting list, and the offers of places that become free. */
export class Migration20261126224606_offers extends Migration {
  override up(): void {
    this.addSql(`
      create table waitlist_entry (${tenantRecord}
        membership_id integer not null,
        created_by integer not null,
        type text not null check (type in ('dual', 'solo', 'rental', 'sim')),
        status text not null default 'waiting' check (status in ('waiting', 'booked', 'ended')),
        duration_minutes smallint not null check (duration_minutes between 30 and 480),
        windows jsonb not null,
        pool text,
        notice_minutes smallint not null default 180 check (notice_minutes between 0 and 10080),
        instead_of_id integer,
        ranked_at timestamptz(3) not null,
        reservation_id integer,
        ended_at timestamptz(3),
        end_cause text check (end_cause in ('booked', 'deleted', 'flown', 'left', 'over', 'silent')),
        check ((status = 'waiting') = (ended_at is null)),
        check ((status = 'waiting') = (end_cause is null)),
        unique (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, created_by) references membership (organization_id, id),
        foreign key (organization_id, instead_of_id) references reservation (organization_id, id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id)
      )`)
    this.addSql(`
      create index waitlist_entry_waiting on waitlist_entry (organization_id, type, ranked_at, id)
        where status = 'waiting'`)
    this.addSql('create index waitlist_entry_member on waitlist_entry (organization_id, membership_id)')
    this.addSql('create index waitlist_entry_maker on waitlist_entry (organization_id, created_by, created_at)')
    this.addSql(`
      create index waitlist_entry_instead on waitlist_entry (organization_id, instead_of_id)
        where instead_of_id is not null`)
    this.addSql(`
      create index waitlist_entry_reservation on waitlist_entry (organization_id, reservation_id)
        where reservation_id is not null`)
    this.addSql('create index waitlist_entry_ended on waitlist_entry (ended_at) where ended_at is not null')
    this.addSql(`
      create table waitlist_choice (${tenantRecord}
        entry_id integer not null,
        resource_id integer,
        membership_id integer,
        check (num_nonnulls(resource_id, membership_id) = 1),
        unique (organization_id, entry_id, resource_id),
        unique (organization_id, entry_id, membership_id),
        foreign key (organization_id, entry_id) references waitlist_entry (organization_id, id) on delete cascade,
        foreign key (organization_id, resource_id) references resource (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql(`
      create index waitlist_choice_resource on waitlist_choice (organization_id, resource_id)
        where resource_id is not null`)
    this.addSql(`
      create index waitlist_choice_member on waitlist_choice (organization_id, membership_id)
        where membership_id is not null`)
    this.addSql(`
      create table offer (${tenantRecord}
        source text not null check (source in ('waitlist', 'recovery')),
        status text not null default 'open'
          check (status in ('open', 'accepted', 'declined', 'expired', 'withdrawn')),
        entry_id integer,
        membership_id integer not null,
        type text not null,
        starts_at timestamptz(3) not null,
        ends_at timestamptz(3) not null,
        resource_id integer,
        instructor_id integer,
        moves_id integer,
        made_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        holds_until timestamptz(3) not null,
        estimated_cents integer,
        warnings jsonb not null default '[]',
        standing jsonb not null default '[]',
        ended_at timestamptz(3),
        cause text check (cause in ('booked', 'entry_changed', 'entry_ended', 'impossible', 'instructor', 'left',
          'own_booking', 'recovery_ended', 'refused')),
        answered_by integer,
        how text check (how in ('phone', 'counter', 'message', 'link')),
        reservation_id integer,
        seed text,
        token_hash text unique,
        check (starts_at < ends_at),
        check ((source = 'waitlist') = (entry_id is not null)),
        check ((status = 'open') = (ended_at is null)),
        check (status in ('open', 'accepted') or token_hash is null),
        check ((status = 'accepted') = (reservation_id is not null)),
        unique (organization_id, id),
        constraint offer_resource_clash exclude using gist (organization_id with =, resource_id with =,
          tstzrange(starts_at, ends_at) with &&) where (status = 'open' and resource_id is not null),
        constraint offer_instructor_clash exclude using gist (organization_id with =, instructor_id with =,
          tstzrange(starts_at, ends_at) with &&) where (status = 'open' and instructor_id is not null),
        constraint offer_person_clash exclude using gist (organization_id with =, membership_id with =,
          tstzrange(starts_at, ends_at) with &&) where (status = 'open'),
        foreign key (organization_id, entry_id) references waitlist_entry (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, instructor_id) references membership (organization_id, id),
        foreign key (organization_id, answered_by) references membership (organization_id, id),
        foreign key (organization_id, resource_id) references resource (organization_id, id),
        foreign key (organization_id, moves_id) references reservation (organization_id, id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id)
      )`)
    this.addSql(`
      create unique index offer_of_place on offer (organization_id, entry_id, resource_id, starts_at)
        where entry_id is not null`)
    this.addSql(`
      create unique index offer_of_entry on offer (organization_id, entry_id)
        where status = 'open' and entry_id is not null`)
    this.addSql("create index offer_open on offer (organization_id, starts_at) where status = 'open'")
    this.addSql("create index offer_expiry on offer (expires_at) where status = 'open'")
    this.addSql('create index offer_member on offer (organization_id, membership_id, made_at desc)')
    this.addSql('create index offer_resource on offer (organization_id, resource_id, starts_at)')
    this.addSql('create index offer_made on offer (organization_id, made_at)')
    this.addSql('create index offer_ended on offer (ended_at) where ended_at is not null')
    for (const column of ['instructor_id', 'answered_by', 'moves_id', 'reservation_id']) {
      this.addSql(`
      create index offer_${column} on offer (organization_id, ${column}) where ${column} is not null`)
    }
    this.addSql(`
      create table waitlist_pass (${tenantRecord}
        entry_id integer not null,
        starts_at timestamptz(3) not null,
        resource_id integer,
        cause text not null check (cause in ('limit', 'not_accepted', 'notice', 'order', 'rule')),
        passed_at timestamptz(3) not null,
        unique (organization_id, entry_id, resource_id, starts_at),
        foreign key (organization_id, entry_id) references waitlist_entry (organization_id, id) on delete cascade,
        foreign key (organization_id, resource_id) references resource (organization_id, id) on delete cascade
      )`)
    this.addSql('create index waitlist_pass_latest on waitlist_pass (organization_id, entry_id, passed_at desc)')
    this.addSql('create index waitlist_pass_resource on waitlist_pass (organization_id, resource_id)')
    this.addSql('create index waitlist_pass_passed on waitlist_pass (passed_at)')
    for (const table of ['waitlist_entry', 'waitlist_choice', 'offer', 'waitlist_pass']) {
      this.addSql(`
      create trigger write_stamp before insert or update on ${table} for each row execute function stamp_row()`)
    }
    // Where somebody waits, what makes bookings be judged again makes the free places be looked through too.
    this.addSql(`
      create function mark_places() returns trigger language plpgsql as $function$
      begin
        if exists (select from added a join waitlist_entry e on e.organization_id = a.organization_id
          where a.job = 'reservations.judge-at-risk' and e.status = 'waiting')
        then
          insert into job_mark (organization_id, job, about)
          select a.organization_id, 'waitlist.offer-places', a.about from added a
          where a.job = 'reservations.judge-at-risk' and exists (select from waitlist_entry e
            where e.organization_id = a.organization_id and e.status = 'waiting');
        end if;
        return null;
      end $function$`)
    this.addSql(`
      create trigger mark_places after insert on job_mark referencing new table as added
        for each statement execute function mark_places()`)
  }
}

const tenantRecord = `
        id integer generated by default as identity primary key,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        organization_id integer not null references organization (id) on delete cascade,
        transaction_id xid8,`
