import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/** Saved views of reports. */
export class Migration20261126032011_insight extends Migration {
  override up(): void {
    this.addSql(`
      create table report_view (${tenantRecord}
        membership_id integer not null,
        name text not null,
        report text not null check (report in ('utilization', 'instructors', 'students', 'revenue', 'receivables',
          'cancellations', 'maintenance', 'training-mismatch')),
        parameters jsonb not null default '{}',
        shared boolean not null default false,
        unique (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql('create index report_view_member on report_view (organization_id, membership_id)')
  }
}
