import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/**
 * Which bookings an overdue maintenance item holds, which items it satisfies, and who signed its completion.
 */
export class Migration20261122202137_maintenance_scope extends Migration {
  override up(): void {
    this.addSql(`
      alter table maintenance_reminder
        add column scope text not null default 'all' check (scope in ('all', 'for_hire_or_instruction', 'ifr'))`)
    this.addSql("alter table resource add column holds jsonb not null default '[]'")
    this.addSql(`
      create table maintenance_satisfaction (${tenantRecord}
        transaction_id xid8,
        reminder_id integer not null,
        satisfied_id integer not null,
        check (reminder_id <> satisfied_id),
        unique (organization_id, reminder_id, satisfied_id),
        foreign key (organization_id, reminder_id) references maintenance_reminder (organization_id, id) on delete cascade,
        foreign key (organization_id, satisfied_id) references maintenance_reminder (organization_id, id) on delete cascade
      )`)
    this.addSql(
      'create index maintenance_satisfaction_satisfied_id on maintenance_satisfaction (organization_id, satisfied_id)',
    )
    this.addSql(`
      create trigger write_stamp before insert or update on maintenance_satisfaction
      for each row execute function stamp_row()`)
    this.addSql(`
      alter table maintenance_completion
        add column hobbs_hundredths integer check (hobbs_hundredths >= 0),
        add column tach_hundredths integer check (tach_hundredths >= 0),
        add column landings integer check (landings >= 0),
        add column signer_name text,
        add column signer_certificate_number text,
        add column work_order text,
        add column satisfied_by_id integer,
        add constraint maintenance_completion_satisfied_by_fkey foreign key (organization_id, satisfied_by_id)
          references maintenance_reminder (organization_id, id) on delete set null (satisfied_by_id)`)
  }
}
