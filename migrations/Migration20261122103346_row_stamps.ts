import { Migration } from '@mikro-orm/migrations'

/** Tables whose rows change. */
const changing = [
  'account',
  'announcement',
  'announcement_group',
  'announcement_read',
  'availability',
  'booking_request',
  'booking_request_seat',
  'calendar_feed',
  'confirmation',
  'connected_account',
  'connection_state',
  'currency_notice',
  'currency_record',
  'currency_rule',
  'document',
  'endorsement',
  'enrollment',
  'group_member',
  'guest',
  'invitation',
  'invoice',
  'invoice_item',
  'join_request',
  'location',
  'mail_token',
  'maintenance_completion',
  'maintenance_reminder',
  'member_group',
  'membership',
  'notification',
  'notification_preference',
  'offering',
  'offering_instructor',
  'offering_resource',
  'organization',
  'payer_stake',
  'processor_customer',
  'reservation',
  'resource',
  'resource_approval',
  'resource_file',
  'seat',
  'squawk',
  'syllabus_credit',
  'syllabus_lesson',
  'syllabus_requirement',
  'syllabus_stage',
  'syllabus_task',
  'syllabus_version',
  'time_off',
  'training_course',
  'training_grant',
  'training_record',
]

/** Tables whose rows are only added. */
const appendOnly = ['credit_entry', 'ledger_entry', 'reservation_event']

/**
 * The database stamps every row that is written with the transaction's time and id, whoever writes it. The trigger is
 * named so that it fires last: triggers that refuse a change compare what the statement wrote. Rows that exist have no
 * transaction's id, so no table is rewritten.
 */
export class Migration20261122103346_row_stamps extends Migration {
  override up(): void {
    this.addSql(`
      create function stamp_row() returns trigger language plpgsql as $$
      begin
        new.updated_at := now();
        new.transaction_id := pg_current_xact_id();
        return new;
      end $$`)
    for (const table of [...changing, ...appendOnly]) {
      const events = appendOnly.includes(table) ? 'insert' : 'insert or update'
      this.addSql(`alter table ${table} add column transaction_id xid8`)
      this.addSql(`create trigger write_stamp before ${events} on ${table} for each row execute function stamp_row()`)
    }
  }
}
