import { Migration } from '@mikro-orm/migrations'

/**
 * One table for whatever leaves the service. Meetings that were asked for and not heard of keep the key under which the
 * provider may have made them. outbox.done, booking_request.meeting_key and booking_request.meeting_claimed_until are
 * read by the release before this one only.
 */
export class Migration20261122073007_deliveries extends Migration {
  override up(): void {
    this.addSql(`
      create table delivery (
        kind text not null,
        subject text not null,
        organization_id integer references organization (id) on delete cascade,
        key text not null default replace(gen_random_uuid()::text, '-', ''),
        attempts integer not null,
        claimed_until timestamptz(3),
        sent_at timestamptz(3),
        outcome text check (outcome in ('delivered', 'given_up')),
        created_at timestamptz(3) not null default now(),
        primary key (kind, subject),
        check ((sent_at is not null) = (outcome is not distinct from 'delivered'))
      )`)
    this.addSql('create index delivery_organization on delivery (organization_id)')
    this.addSql('create index delivery_created on delivery (created_at)')
    this.addSql(`
      insert into delivery (kind, subject, organization_id, key, attempts)
      select 'meeting', 'booking-request/' || id, organization_id, meeting_key, 1
        from booking_request where meeting_key is not null and meeting_url is null`)
  }
}
