import { Migration } from '@mikro-orm/migrations'
import { referenceIndex, tenantRecord } from './tenant-record.ts'

/** What the desk announces, to which groups, and who has read it. */
export class Migration20261101000221_announcements extends Migration {
  override up(): void {
    this.addSql(`
      create table announcement (${tenantRecord}
        title text not null,
        body text not null,
        roles jsonb not null default '[]',
        pinned boolean not null default false,
        publish_at timestamptz(3) not null,
        expires_at timestamptz(3),
        author_id integer not null,
        told_at timestamptz(3),
        check (expires_at > publish_at),
        unique (organization_id, id),
        foreign key (organization_id, author_id) references membership (organization_id, id)
      )`)
    this.addSql(
      'create index announcement_order on announcement (organization_id, pinned desc, publish_at desc, id desc)',
    )
    this.addSql(referenceIndex('announcement', 'author_id', { optional: false }))
    this.addSql(`
      create table announcement_group (${tenantRecord}
        announcement_id integer not null,
        group_id integer not null,
        unique (organization_id, announcement_id, group_id),
        foreign key (organization_id, announcement_id) references announcement (organization_id, id) on delete cascade,
        foreign key (organization_id, group_id) references member_group (organization_id, id) on delete cascade
      )`)
    this.addSql(referenceIndex('announcement_group', 'group_id', { optional: false }))
    this.addSql(`
      create table announcement_read (${tenantRecord}
        announcement_id integer not null,
        membership_id integer not null,
        read_at timestamptz(3) not null,
        unique (organization_id, announcement_id, membership_id),
        foreign key (organization_id, announcement_id) references announcement (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql(referenceIndex('announcement_read', 'membership_id', { optional: false }))
  }
}
