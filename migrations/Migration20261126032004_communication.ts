import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/** How people are reached: notifications, announcements, meetings, webhooks. */
export class Migration20261126032004_communication extends Migration {
  override up(): void {
    this.addSql(`
      create table notification (${tenantRecord}
        membership_id integer not null,
        kind text not null,
        title text not null,
        body text not null,
        data jsonb not null default '{}',
        dedupe_key text not null,
        read_at timestamptz(3),
        unique (membership_id, dedupe_key),
        unique (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql('create index notification_member on notification (organization_id, membership_id, created_at desc)')
    this.addSql('create index notification_age on notification (created_at)')
    this.addSql(`
      create index notification_text on notification using gin (organization_id, membership_id, title gin_trgm_ops,
        body gin_trgm_ops) with (gin_pending_list_limit='256')`)
    this.addSql(`
      create table notification_preference (${tenantRecord}
        membership_id integer not null,
        kind text not null,
        in_app boolean not null,
        push boolean not null,
        email boolean not null,
        unique (organization_id, membership_id, kind),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql(`
      create table connected_account (${tenantRecord}
        membership_id integer not null,
        provider text not null check (provider in ('zoom', 'google')),
        account_email text,
        refresh_token text not null,
        access_token text,
        access_expires_at timestamptz(3),
        refresh_claimed_until timestamptz(3),
        connected_at timestamptz(3) not null,
        broken_at timestamptz(3),
        unique (organization_id, membership_id, provider),
        unique (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql(`
      create table connection_state (${tenantRecord}
        membership_id integer not null,
        provider text not null check (provider in ('zoom', 'google')),
        state_hash text not null unique,
        code_verifier text not null,
        expires_at timestamptz(3) not null,
        used_at timestamptz(3),
        browser_hash text,
        unique (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql('create index connection_state_member on connection_state (organization_id, membership_id)')
    this.addSql('create index connection_state_end on connection_state (expires_at)')
    this.addSql(`
      create table announcement (${tenantRecord}
        title text not null,
        body text not null,
        roles jsonb not null default '[]',
        pinned boolean not null default false,
        publish_at timestamptz(3) not null,
        expires_at timestamptz(3),
        author_id integer not null,
        notified_at timestamptz(3),
        check (expires_at > publish_at),
        unique (organization_id, id),
        foreign key (organization_id, author_id) references membership (organization_id, id)
      )`)
    this.addSql(`
      create index announcement_order on announcement (organization_id, pinned desc, publish_at desc, id desc)`)
    this.addSql('create index announcement_author_id on announcement (organization_id, author_id)')
    this.addSql(`
      create table announcement_group (${tenantRecord}
        announcement_id integer not null,
        group_id integer not null,
        unique (organization_id, announcement_id, group_id),
        foreign key (organization_id, announcement_id) references announcement (organization_id, id) on delete cascade,
        foreign key (organization_id, group_id) references member_group (organization_id, id) on delete cascade
      )`)
    this.addSql('create index announcement_group_group_id on announcement_group (organization_id, group_id)')
    this.addSql(`
      create table announcement_read (${tenantRecord}
        announcement_id integer not null,
        membership_id integer not null,
        read_at timestamptz(3) not null,
        unique (organization_id, announcement_id, membership_id),
        foreign key (organization_id, announcement_id) references announcement (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql('create index announcement_read_membership_id on announcement_read (organization_id, membership_id)')
    this.addSql(`
      create table webhook_endpoint (${tenantRecord}
        created_by_id integer not null,
        url text not null,
        events jsonb not null,
        active boolean not null default true,
        secret text not null,
        previous_secret text,
        previous_until timestamptz(3),
        failing_since timestamptz(3),
        disabled_at timestamptz(3),
        check ((previous_secret is null) = (previous_until is null)),
        check (disabled_at is null or not active),
        unique (organization_id, id),
        foreign key (organization_id, created_by_id) references membership (organization_id, id)
      )`)
    this.addSql('create index webhook_endpoint_created_by_id on webhook_endpoint (organization_id, created_by_id)')
    this.addSql(`
      create table webhook_event (
        organization_id integer not null references organization (id) on delete cascade,
        id uuid not null,
        sequence bigint generated always as identity,
        type text not null,
        subject text not null,
        at timestamptz(3) not null,
        payload text,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        transaction_id xid8,
        primary key (organization_id, id)
      )`)
    this.addSql('create index webhook_event_created on webhook_event (created_at)')
    this.addSql('create index webhook_event_unrendered on webhook_event (created_at) where payload is null')
    this.addSql('create index webhook_event_at on webhook_event (organization_id, at)')
    this.addSql(`
      create table webhook_delivery (${tenantRecord}
        endpoint_id integer not null,
        event_id uuid not null,
        subject text not null,
        state text not null default 'queued' check (state in ('queued', 'active', 'waiting', 'succeeded', 'failed')),
        attempt integer not null default 0,
        first_attempt_at timestamptz(3),
        next_attempt_at timestamptz(3),
        job_id uuid,
        host text,
        sending_until timestamptz(3),
        response_status integer,
        latency_ms integer,
        response_body text,
        error text check (error in ('dns', 'refused_address', 'connect', 'tls', 'timeout', 'too_large', 'status')),
        check ((state in ('active', 'waiting')) = (job_id is not null)),
        foreign key (organization_id, event_id) references webhook_event (organization_id, id) on delete cascade,
        foreign key (organization_id, endpoint_id) references webhook_endpoint (organization_id, id) on delete cascade
      )`)
    this.addSql(`
      create unique index webhook_delivery_one_of_a_subject on webhook_delivery (organization_id, endpoint_id,
        subject)
        where state in ('active', 'waiting')`)
    this.addSql(`
      create index webhook_delivery_pending on webhook_delivery (organization_id, endpoint_id, subject, id)
        where state in ('queued', 'active', 'waiting')`)
    this.addSql('create index webhook_delivery_listed on webhook_delivery (organization_id, endpoint_id, id desc)')
    this.addSql('create index webhook_delivery_event_id on webhook_delivery (organization_id, event_id)')
    this.addSql('create index webhook_delivery_sending on webhook_delivery (host) where sending_until is not null')
    this.addSql(`
      create table webhook_rate (
        key text primary key,
        counted integer not null,
        resets_at timestamptz(3) not null,
        answered_at timestamptz(3)
      )`)
    this.addSql('create index webhook_rate_resets on webhook_rate (resets_at)')
    this.addSql(`
      create table announcement_notice (${tenantRecord}
        announcement_id integer not null,
        membership_id integer not null,
        unique (organization_id, announcement_id, membership_id),
        foreign key (organization_id, announcement_id) references announcement (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql(`
      create index announcement_notice_membership_id on announcement_notice (organization_id, membership_id)`)
    this.addSql(`
      create table announcement_mailing (${tenantRecord}
        mailed_at timestamptz(3) not null
      )`)
    this.addSql('create index announcement_mailing_day on announcement_mailing (organization_id, mailed_at)')
    this.addSql('create index announcement_mailing_age on announcement_mailing (mailed_at)')
    this.addSql(`
      create table mail_count (
        id integer generated by default as identity primary key,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        scope text not null check (scope ~ '^[a-z_]+$'),
        key text not null,
        day text not null,
        mails integer not null check (mails > 0),
        unique (scope, key, day)
      )`)
    this.addSql('create index mail_count_created on mail_count (created_at)')
    this.addSql(`
      create table ended_mail (${tenantRecord}
        address_hash text not null,
        unique (organization_id, address_hash)
      )`)
  }
}
