import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/** Whether somebody may fly: approvals, currencies, documents, minimums. */
export class Migration20261126032006_qualification extends Migration {
  override up(): void {
    this.addSql(`
      create table resource_approval (${tenantRecord}
        resource_id integer,
        membership_id integer not null,
        approved_by integer not null,
        make text,
        model text,
        expires_at timestamptz(3),
        constraint resource_approval_scope check ((resource_id is null) = (make is not null) and (make is null) =
          (model is null)),
        unique (organization_id, resource_id, membership_id),
        foreign key (organization_id, resource_id) references resource (organization_id, id) on delete cascade,
        foreign key (organization_id, approved_by) references membership (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql('create index resource_approval_member on resource_approval (organization_id, membership_id)')
    this.addSql('create index resource_approval_approver on resource_approval (organization_id, approved_by)')
    this.addSql(`
      create unique index resource_approval_model on resource_approval (organization_id, membership_id,
        lower(btrim(make)), lower(btrim(model)))
        where make is not null`)
    this.addSql(`
      create table currency (${tenantRecord}
        name text not null,
        kind text not null check (kind in ('expiring', 'recent_flights', 'passenger_day', 'passenger_night',
          'instrument', 'flight_review', 'medical', 'instructor_certificate')),
        roles jsonb not null default '[]',
        reservation_types jsonb not null default '[]',
        resource_ids jsonb not null default '[]',
        warn_days integer not null default 30 check (warn_days >= 0),
        valid_calendar_months integer check (valid_calendar_months > 0),
        flight_count integer check (flight_count > 0),
        flight_days integer check (flight_days > 0),
        enforcement text not null default 'warn' check (enforcement in ('off', 'warn', 'block')),
        lifted_when_supervised boolean not null default false,
        overridable_by jsonb not null default '["owner", "admin"]',
        applies_to text not null default 'everyone' check (applies_to in ('everyone', 'pic')),
        privilege text check (privilege in ('airline_transport', 'commercial', 'private')),
        constraint currency_privilege check ((kind = 'medical') = (privilege is not null)),
        check ((kind = 'recent_flights') = (flight_count is not null)),
        check ((kind = 'recent_flights') = (flight_days is not null)),
        check (kind = 'expiring' or valid_calendar_months is null),
        unique (organization_id, id)
      )`)
    this.addSql(`
      create table document (${tenantRecord}
        title text not null,
        category text not null
          check (category in ('medical', 'certificate', 'identification', 'insurance', 'contract', 'other')),
        membership_id integer,
        expires_at timestamptz(3),
        file_name text not null,
        content_type text not null,
        storage_key text not null unique,
        upload text not null default 'awaited' check (upload in ('awaited', 'stored', 'missing')),
        uploaded_by integer not null,
        form_ended_at timestamptz(3),
        status text not null default 'pending' check (status in ('pending', 'verified', 'rejected')),
        notes text,
        verified_by integer,
        verified_at timestamptz(3),
        roles jsonb not null default '[]',
        form_opened_at timestamptz(3) not null default now(),
        expiry_notified_days smallint,
        size_bytes integer check (size_bytes >= 0),
        kept_until timestamptz,
        check ((status = 'verified') = (verified_at is not null)),
        check ((status = 'verified') = (verified_by is not null)),
        check (membership_id is null or roles = '[]'),
        unique (organization_id, membership_id, id),
        foreign key (organization_id, verified_by) references membership (organization_id, id),
        foreign key (organization_id, uploaded_by) references membership (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id)
      )`)
    this.addSql('create index document_uploaded_by on document (organization_id, uploaded_by)')
    this.addSql('create index document_expiry on document (expires_at) where expires_at is not null')
    this.addSql(`
      create index document_verified_by on document (organization_id, verified_by) where verified_by is not null`)
    this.addSql('create index document_kept_until on document (kept_until) where kept_until is not null')
    this.addSql('create index document_category on document (organization_id, category, id desc)')
    this.addSql('create index document_status on document (organization_id, status, id desc)')
    this.addSql(`
      create table currency_record (${tenantRecord}
        currency_id integer not null,
        membership_id integer not null,
        completed_at timestamptz(3) not null,
        expires_at timestamptz(3),
        document_id integer,
        recorded_by integer not null,
        medical_class text check (medical_class in ('first', 'second', 'third', 'basic')),
        course_at timestamptz(3),
        merged_from integer,
        kept_until timestamptz,
        constraint currency_record_course check (((medical_class = 'basic') is true) = (course_at is not null)),
        check (expires_at > completed_at),
        unique (organization_id, currency_id, membership_id),
        foreign key (organization_id, currency_id) references currency (organization_id, id) on delete
          cascade,
        foreign key (organization_id, membership_id, document_id) references document (organization_id, membership_id,
          id) on delete set null (document_id),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade,
        foreign key (organization_id, merged_from) references membership (organization_id, id),
        foreign key (organization_id, recorded_by) references membership (organization_id, id)
      )`)
    this.addSql('create index currency_record_member on currency_record (organization_id, membership_id)')
    this.addSql('create index currency_record_recorder on currency_record (organization_id, recorded_by)')
    this.addSql('create index currency_record_expiring on currency_record (expires_at) where expires_at is not null')
    this.addSql(`
      create index currency_record_merged_from on currency_record (organization_id, merged_from)
        where merged_from is not null`)
    this.addSql('create index currency_record_kept_until on currency_record (kept_until) where kept_until is not null')
    this.addSql(`
      create table currency_end_notice (${tenantRecord}
        currency_id integer not null,
        membership_id integer not null,
        scope text not null default '',
        notified_for timestamptz(3) not null,
        notified_days smallint not null,
        unique (organization_id, currency_id, membership_id, scope),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade,
        foreign key (organization_id, currency_id) references currency (organization_id, id) on delete
          cascade
      )`)
    this.addSql(`
      create index currency_end_notice_membership_id on currency_end_notice (organization_id, membership_id)`)
    this.addSql(`
      create table pilot_minimums (${tenantRecord}
        membership_id integer not null,
        ceiling_feet integer check (ceiling_feet >= 0),
        visibility_miles float8 check (visibility_miles >= 0),
        wind_knots integer check (wind_knots >= 0),
        gust_knots integer check (gust_knots >= 0),
        crosswind_knots integer check (crosswind_knots >= 0),
        unique (organization_id, membership_id),
        foreign key (organization_id, membership_id) references membership (organization_id, id)
      )`)
  }
}
