import { Migration } from '@mikro-orm/migrations'

/** What spans the contexts: foreign keys to later ones, and the triggers of row stamps. */
export class Migration20261126032013_across extends Migration {
  override up(): void {
    for (const table of ofOrganizations) {
      this.addSql(
        `alter table ${table} add foreign key (organization_id) references organization (id) on delete cascade`,
      )
    }
    this.addSql(`
      alter table event add foreign key (organization_id, membership_id) references membership (organization_id, id)`)
    this.addSql(`
      alter table operation add foreign key (organization_id, started_by) references membership (organization_id, id)`)
    this.addSql(`
      alter table undelivered_mail add foreign key (organization_id, invoice_id)
        references invoice (organization_id, id) on delete cascade`)
    this.addSql(`
      alter table undelivered_mail add foreign key (organization_id, invitation_id)
        references invitation (organization_id, id) on delete cascade`)
    this.addSql(`
      alter table undelivered_mail add foreign key (organization_id, guest_id)
        references guest (organization_id, id) on delete cascade`)
    this.addSql(`
      alter table undelivered_mail add foreign key (organization_id, membership_id)
        references membership (organization_id, id) on delete cascade`)
    this.addSql(`
      alter table squawk add foreign key (organization_id, reservation_id)
        references reservation (organization_id, id)`)
    this.addSql(`
      alter table invoice add foreign key (organization_id, enrollment_id) references enrollment (organization_id, id)`)
    for (const table of stampedOnce) {
      this.addSql(`create trigger write_stamp before insert on ${table} for each row execute function stamp_row()`)
    }
    for (const table of stamped) {
      this.addSql(
        `create trigger write_stamp before insert or update on ${table} for each row execute function stamp_row()`,
      )
    }
  }
}

/** The tables of the contexts before `identity` whose rows go with their organization. */
const ofOrganizations = [
  'outbox',
  'delivery',
  'event',
  'operation',
  'operation_row',
  'job_mark',
  'operation_file',
  'undelivered_mail',
]

/** The tables whose rows are stamped when they are added, since they never change. */
const stampedOnce = ['credit_entry', 'event', 'ledger_entry', 'pay_run', 'training_certificate']

/** The tables whose rows are stamped when they are written. */
const stamped = [
  'account',
  'announcement',
  'announcement_group',
  'announcement_mailing',
  'announcement_notice',
  'announcement_read',
  'at_risk_notice',
  'at_risk_run',
  'autopay_charge',
  'availability',
  'booking_request',
  'booking_request_seat',
  'calendar_feed',
  'charge_notice',
  'closure',
  'confirmation',
  'connected_account',
  'connection_state',
  'credit_note',
  'currency_end_notice',
  'currency_record',
  'currency',
  'document',
  'ended_mail',
  'endorsement',
  'enrollment',
  'flight_log',
  'group_member',
  'guest',
  'import_file',
  'import_row',
  'invitation',
  'invoice',
  'invoice_item',
  'job_mark',
  'join_request',
  'location',
  'mail_token',
  'maintenance_completion',
  'maintenance_limit',
  'maintenance_item',
  'maintenance_satisfaction',
  'member_group',
  'member_profile',
  'membership',
  'meter_change',
  'notification',
  'notification_preference',
  'offering',
  'offering_instructor',
  'offering_resource',
  'operation',
  'operation_file',
  'operation_row',
  'organization',
  'package',
  'package_purchase',
  'package_use',
  'pay_line',
  'payer_stake',
  'payment',
  'pilot_minimums',
  'planned_lesson',
  'gateway_customer',
  'report_view',
  'reservation',
  'reservation_at_risk',
  'resource',
  'resource_approval',
  'resource_file',
  'rule_override',
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
  'training_test',
  'undelivered_mail',
  'weather_request',
  'webhook_delivery',
  'webhook_endpoint',
  'webhook_event',
]
