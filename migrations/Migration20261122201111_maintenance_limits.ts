import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/**
 * A maintenance item has several limits, of which the first reached counts; its one limit of before becomes the first.
 * Processes of the release before write that one in the columns of the item: a trigger puts it beside the others, and
 * does nothing once they are gone. Aircraft count their landings from what the flight log has.
 */
export class Migration20261122201111_maintenance_limits extends Migration {
  override up(): void {
    this.addSql(`
      create table maintenance_limit (${tenantRecord}
        transaction_id xid8,
        reminder_id integer not null,
        basis text not null check (basis in ('calendar', 'hobbs', 'tach', 'landings')),
        interval_months smallint check (interval_months > 0),
        interval_days smallint check (interval_days > 0),
        interval_hundredths integer check (interval_hundredths > 0),
        last_done_at timestamptz(3),
        last_done_hundredths integer,
        due_at timestamptz(3),
        due_hundredths integer,
        check (basis = 'calendar' or (interval_months is null and interval_days is null and due_at is null)),
        check (basis <> 'calendar' or (interval_hundredths is null and due_hundredths is null)),
        check (interval_months is null or interval_days is null),
        unique (organization_id, reminder_id, basis),
        foreign key (organization_id, reminder_id) references maintenance_reminder (organization_id, id) on delete cascade
      )`)
    this.addSql(
      'create trigger write_stamp before insert or update on maintenance_limit for each row execute function stamp_row()',
    )
    const limit =
      'organization_id, reminder_id, basis, interval_months, interval_hundredths, last_done_at, last_done_hundredths, due_at, due_hundredths'
    const columns = limit.split(', ').filter((column) => !/^(organization_id|reminder_id|basis)$/.test(column))
    this.addSql(
      `insert into maintenance_limit (${limit}) select ${limit.replace('reminder_id', 'id')} from maintenance_reminder`,
    )
    this.addSql(`
      create function limit_of_reminder() returns trigger language plpgsql as $$
      begin
        insert into maintenance_limit (${limit})
        values (${limit.replace('reminder_id', 'id').replace(/\w+/g, (column) => `new.${column}`)})
        on conflict (organization_id, reminder_id, basis)
        do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')};
        return null;
      end $$`)
    this.addSql(`
      create trigger limit_of_release_before
      after insert or update of ${columns.join(', ')} on maintenance_reminder
      for each row when (new.basis is not null) execute function limit_of_reminder()`)
    this.addSql(`
      alter table maintenance_reminder
        alter column basis drop not null,
        add column carry boolean not null default false,
        drop constraint maintenance_reminder_told_status_check,
        add constraint maintenance_reminder_told_status_check
          check (told_status in ('ok', 'unknown', 'due_soon', 'overdue'))`)
    this.addSql('alter table resource add column landings integer not null default 0 check (landings >= 0)')
    this.addSql(`
      update resource r set landings = logged.landings
      from (
        select b.organization_id, b.resource_id, sum(f.day_landings + f.night_landings) as landings
        from flight_log f
        join reservation b on b.organization_id = f.organization_id and b.id = f.reservation_id
        group by b.organization_id, b.resource_id
      ) logged
      where r.organization_id = logged.organization_id and r.id = logged.resource_id and logged.landings > 0`)
  }
}
