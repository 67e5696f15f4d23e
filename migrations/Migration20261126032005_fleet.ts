import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/** What is booked: resources and their maintenance. */
export class Migration20261126032005_fleet extends Migration {
  override up(): void {
    this.addSql(`
      create table resource (${tenantRecord}
        name text not null,
        kind text not null check (kind in ('plane', 'simulator', 'room')),
        location_id integer not null,
        traits jsonb not null default '{}',
        serial_number text,
        year integer,
        tail_number text,
        make text,
        model text,
        flying_day_start_minute smallint check (flying_day_start_minute >= 0 and flying_day_start_minute <= 1440),
        flying_day_end_minute smallint check (flying_day_end_minute >= 0 and flying_day_end_minute <= 1440),
        dry_rate_cents integer check (dry_rate_cents >= 0),
        wet_rate_cents integer check (wet_rate_cents >= 0),
        overnight_minimum_tenths integer check (overnight_minimum_tenths >= 0),
        bill_by_hobbs_time boolean not null default true,
        grounded_by_person boolean not null default false,
        grounded_reason text,
        system_hold_reason text,
        fuel_engine1 integer check (fuel_engine1 >= 0),
        fuel_engine2 integer check (fuel_engine2 >= 0),
        fuel_updated_at timestamptz(3),
        hobbs_hundredths integer check (hobbs_hundredths >= 0),
        tach_hundredths integer check (tach_hundredths >= 0),
        landings integer not null default 0 check (landings >= 0),
        holds jsonb not null default '[]',
        external_id text,
        check ((flying_day_start_minute is null) = (flying_day_end_minute is null)),
        unique (organization_id, id),
        foreign key (organization_id, location_id) references location (organization_id, id)
      )`)
    this.addSql('create index resource_location on resource (organization_id, location_id)')
    this.addSql(`
      create unique index resource_external_id on resource (organization_id, external_id)
        where external_id is not null`)
    this.addSql(`
      create table squawk (${tenantRecord}
        resource_id integer not null,
        title text not null,
        description text,
        severity text not null check (severity in ('observation', 'grounding')),
        status text not null default 'open' check (status in ('open', 'in_progress', 'deferred', 'resolved')),
        reported_by integer not null,
        reservation_id integer,
        resolution text,
        resolved_by integer,
        resolved_at timestamptz(3),
        deferred_until text check (deferred_until ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
        deferral_reference text,
        placarded boolean not null default false,
        deferral_ended boolean not null default false,
        excluded_operations jsonb not null default '[]',
        check ((status = 'resolved') = (resolved_at is not null)),
        check ((status = 'resolved') = (resolved_by is not null)),
        unique (organization_id, id),
        foreign key (organization_id, resource_id) references resource (organization_id, id) on delete cascade,
        foreign key (organization_id, reported_by) references membership (organization_id, id),
        foreign key (organization_id, resolved_by) references membership (organization_id, id)
      )`)
    this.addSql('create index squawk_newest on squawk (organization_id, created_at desc, id desc)')
    this.addSql('create index squawk_resource on squawk (organization_id, resource_id, status)')
    this.addSql('create index squawk_reservation on squawk (organization_id, reservation_id)')
    this.addSql('create index squawk_reporter on squawk (organization_id, reported_by)')
    this.addSql('create index squawk_resolver on squawk (organization_id, resolved_by)')
    this.addSql(`
      create index squawk_deferred on squawk (deferred_until) where status = 'deferred' and not deferral_ended`)
    this.addSql("create index squawk_open on squawk (organization_id, created_at) where status = 'open'")
    this.addSql(`
      create table maintenance_item (${tenantRecord}
        resource_id integer not null,
        name text not null,
        warn_days smallint not null check (warn_days >= 0),
        warn_hundredths integer not null check (warn_hundredths >= 0),
        grounding boolean not null default false,
        notified_status text not null default 'ok' check (notified_status in ('ok', 'unknown', 'due_soon', 'overdue')),
        carry boolean not null default false,
        scope text not null default 'all' check (scope in ('all', 'for_hire_or_instruction', 'ifr')),
        unique (organization_id, id),
        foreign key (organization_id, resource_id) references resource (organization_id, id) on delete cascade
      )`)
    this.addSql('create index maintenance_item_resource on maintenance_item (organization_id, resource_id)')
    this.addSql(`
      create table maintenance_completion (${tenantRecord}
        reminder_id integer not null,
        membership_id integer not null,
        done_at timestamptz(3) not null,
        reading_hundredths integer check (reading_hundredths >= 0),
        notes text,
        hobbs_hundredths integer check (hobbs_hundredths >= 0),
        tach_hundredths integer check (tach_hundredths >= 0),
        landings integer check (landings >= 0),
        signer_name text,
        signer_certificate_number text,
        work_order text,
        satisfied_by_id integer,
        constraint maintenance_completion_satisfied_by_fkey foreign key (organization_id, satisfied_by_id) references
          maintenance_item (organization_id, id) on delete set null (satisfied_by_id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, reminder_id) references maintenance_item (organization_id, id) on delete
          cascade
      )`)
    this.addSql(`
      create index maintenance_completion_of on maintenance_completion (organization_id, reminder_id, done_at desc)`)
    this.addSql('create index maintenance_completion_by on maintenance_completion (organization_id, membership_id)')
    this.addSql(`
      create index maintenance_completion_satisfied_by on maintenance_completion (organization_id, satisfied_by_id)
        where satisfied_by_id is not null`)
    this.addSql('create unique index maintenance_completion_key on maintenance_completion (organization_id, id)')
    this.addSql(`
      create table resource_file (${tenantRecord}
        resource_id integer not null,
        category text not null check (category in ('poh', 'weight_and_balance', 'insurance', 'form_337',
          'logbook_scan', 'registration', 'airworthiness', 'other')),
        visibility text not null check (visibility in ('bookers', 'staff')),
        label text,
        file_name text not null,
        content_type text not null,
        storage_key text not null unique,
        upload text not null default 'awaited' check (upload in ('awaited', 'stored', 'missing')),
        uploaded_by integer not null,
        deleted_at timestamptz(3),
        form_ended_at timestamptz(3),
        size_bytes integer check (size_bytes >= 0),
        squawk_id integer,
        completion_id integer,
        expires_at timestamptz(3),
        constraint resource_file_one_subject check (squawk_id is null or completion_id is null),
        unique (organization_id, id),
        constraint resource_file_completion_fkey foreign key (organization_id, completion_id) references
          maintenance_completion (organization_id, id) on delete cascade,
        foreign key (organization_id, resource_id) references resource (organization_id, id) on delete cascade,
        foreign key (organization_id, uploaded_by) references membership (organization_id, id),
        constraint resource_file_squawk_fkey foreign key (organization_id, squawk_id) references squawk
          (organization_id, id) on delete cascade
      )`)
    this.addSql('create index resource_file_resource on resource_file (organization_id, resource_id, id)')
    this.addSql('create index resource_file_uploader on resource_file (organization_id, uploaded_by)')
    this.addSql(`
      create index resource_file_squawk_id on resource_file (organization_id, squawk_id) where squawk_id is not null`)
    this.addSql(`
      create index resource_file_completion_id on resource_file (organization_id, completion_id)
        where completion_id is not null`)
    this.addSql(`
      create table maintenance_limit (${tenantRecord}
        reminder_id integer not null,
        basis text not null check (basis in ('calendar', 'hobbs', 'tach', 'landings', 'use')),
        interval_months smallint check (interval_months > 0),
        interval_days smallint check (interval_days > 0),
        interval_hundredths integer check (interval_hundredths > 0),
        last_done_at timestamptz(3),
        last_done_hundredths integer,
        due_at timestamptz(3),
        due_hundredths integer,
        used_hundredths integer check (used_hundredths >= 0),
        check (basis = 'calendar' or interval_months is null and interval_days is null and due_at is null),
        check (basis <> 'calendar' or interval_hundredths is null and due_hundredths is null),
        check (interval_months is null or interval_days is null),
        unique (organization_id, reminder_id, basis),
        foreign key (organization_id, reminder_id) references maintenance_item (organization_id, id) on delete
          cascade
      )`)
    this.addSql(`
      create table maintenance_satisfaction (${tenantRecord}
        reminder_id integer not null,
        satisfied_id integer not null,
        check (reminder_id <> satisfied_id),
        unique (organization_id, reminder_id, satisfied_id),
        foreign key (organization_id, reminder_id) references maintenance_item (organization_id, id) on delete
          cascade,
        foreign key (organization_id, satisfied_id) references maintenance_item (organization_id, id) on delete
          cascade
      )`)
    this.addSql(`
      create index maintenance_satisfaction_satisfied_id on maintenance_satisfaction (organization_id, satisfied_id)`)
    this.addSql(`
      create table meter_change (${tenantRecord}
        resource_id integer not null,
        meter text not null check (meter in ('hobbs', 'tach')),
        old_hundredths integer not null check (old_hundredths >= 0),
        new_hundredths integer not null check (new_hundredths >= 0),
        reason text not null,
        changed_by integer not null,
        foreign key (organization_id, changed_by) references membership (organization_id, id),
        foreign key (organization_id, resource_id) references resource (organization_id, id) on delete cascade
      )`)
    this.addSql('create index meter_change_resource on meter_change (organization_id, resource_id, created_at)')
    this.addSql('create index meter_change_changed_by on meter_change (organization_id, changed_by)')
  }
}
