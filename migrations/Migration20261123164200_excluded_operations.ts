import { Migration } from '@mikro-orm/migrations'

/** What an aircraft may not be used for while a squawk is deferred; bookings ahead are judged again by it. */
export class Migration20261123164200_excluded_operations extends Migration {
  override up(): void {
    this.addSql(`alter table squawk add column excluded_operations jsonb not null default '[]'`)
    this.addSql(`create trigger booking_fact after insert or update or delete on squawk for each row
      execute function booking_fact_changed('{"resourceId": "resource_id"}',
        '{description,severity,reported_by,reservation_id,deferred_until,deferral_reference,placarded,deferral_ended,resolution,resolved_by,resolved_at}',
        'organization_id')`)
  }
}
