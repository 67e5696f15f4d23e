import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/** The meters of aircraft that were replaced, with what the old and the new one read. */
export class Migration20261122212544_meter_change extends Migration {
  override up(): void {
    this.addSql(`
      create table meter_change (${tenantRecord}
        transaction_id xid8,
        resource_id integer not null,
        meter text not null check (meter in ('hobbs', 'tach')),
        old_hundredths integer not null check (old_hundredths >= 0),
        new_hundredths integer not null check (new_hundredths >= 0),
        reason text not null,
        changed_by integer not null,
        foreign key (organization_id, resource_id) references resource (organization_id, id) on delete cascade,
        foreign key (organization_id, changed_by) references membership (organization_id, id)
      )`)
    this.addSql('create index meter_change_resource on meter_change (organization_id, resource_id, created_at)')
    this.addSql('create index meter_change_changed_by on meter_change (organization_id, changed_by)')
    this.addSql(
      'create trigger write_stamp before insert or update on meter_change for each row execute function stamp_row()',
    )
  }
}
