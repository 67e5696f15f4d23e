import { Migration } from '@mikro-orm/migrations'

/** What spans the contexts: foreign keys to later ones, and the triggers of row stamps and of what the booking rules read. */
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
    for (const [name, on, about, unread = ''] of facts) {
      const table = on.split(' ').at(-1)
      const owner = table === 'organization' ? 'id' : 'organization_id'
      this.addSql(`create trigger ${name} after ${on} for each row
        execute function booking_fact_changed('${about}', '{${unread}}', '${owner}')`)
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

/** What a change of a row concerns of a booking: trigger, when, `{what: column}`, and the columns that no rule reads. */
const facts: readonly (readonly [string, string, string, string?])[] = [
  ['booking_fact', 'insert or update or delete on availability', '{"memberId": "membership_id"}'],
  [
    'booking_fact',
    'insert or update or delete on booking_request',
    '{"resourceId": "resource_id", "start": "starts_at", "end": "ends_at"}',
  ],
  [
    'booking_fact',
    'insert or update or delete on closure',
    '{"resourceId?": "resource_id", "start": "starts_at", "end": "ends_at"}',
  ],
  ['booking_fact', 'insert or update or delete on currency_record', '{"memberId": "membership_id"}'],
  ['booking_fact', 'insert or update or delete on currency', '{}', 'warn_days'],
  [
    'booking_fact',
    'insert or update or delete on document',
    '{"memberId?": "membership_id"}',
    'note,title,expiry_notified_days',
  ],
  [
    'booking_fact',
    'insert or update or delete on endorsement',
    '{"memberId": "membership_id"}',
    'expiry_notified_days',
  ],
  ['booking_fact', 'insert or update or delete on enrollment', '{"memberId": "membership_id"}'],
  ['booking_fact', 'insert or update or delete on flight_log', '{"memberId": "membership_id"}'],
  ['booking_fact', 'update on location', '{}', 'name,address,airport_identifier'],
  ['booking_fact', 'insert or update or delete on maintenance_limit', '{"reminderId": "reminder_id"}'],
  [
    'booking_fact',
    'insert or update or delete on maintenance_item',
    '{"resourceId": "resource_id"}',
    'notified_status',
  ],
  ['booking_fact', 'insert or update or delete on member_profile', '{"memberId": "membership_id"}', 'facts'],
  [
    'booking_fact',
    'insert or update on membership',
    '{"memberId": "id"}',
    'billing_mode,gateway_key,search_email,search_name,flight_rate_cents,ground_rate_cents,sim_rate_cents,flight_pay_cents,ground_pay_cents,sim_pay_cents,tax_exempt,autopay,autopay_max_cents,autopay_at',
  ],
  ['verifier_changed', 'update of admin, owner, removed_at on membership', '{}'],
  ['booking_fact', 'update of settings, time_zone_name on organization', '{}', 'last_invoice_number'],
  [
    'booking_fact',
    'insert or update on reservation',
    '{"reservationId": "id"}',
    'billed,cancellation_category,cancellation_reason,cancelled_by,expected_back_at,meeting_url,notes,overdue_stage,reminded_for,review_reminder_stage,series_count,series_id,series_index,signatures_cleared_at,title,uid',
  ],
  [
    'crew_fact',
    'update of signed_off_at, hobbs_out, hobbs_in, type, resource_id, live on reservation',
    '{"crewOf": "id"}',
  ],
  [
    'booking_fact',
    'insert or update on resource',
    '{"resourceId": "id"}',
    'fuel_engine1,fuel_engine2,fuel_updated_at,dry_rate_cents,wet_rate_cents,overnight_minimum_tenths,serial_number,year',
  ],
  [
    'booking_fact',
    'insert or update or delete on resource_approval',
    '{"memberId": "membership_id", "resourceId?": "resource_id"}',
  ],
  ['booking_fact', 'insert or update or delete on rule_override', '{"reservationId": "reservation_id"}', 'notified_at'],
  [
    'booking_fact',
    'insert or update or delete on seat',
    '{"memberId": "membership_id", "start": "starts_at", "end": "ends_at"}',
  ],
  ['seat_fact', 'insert or update or delete on seat', '{"reservationId": "reservation_id"}'],
  [
    'booking_fact',
    'insert or update or delete on squawk',
    '{"resourceId": "resource_id"}',
    'description,severity,reported_by,reservation_id,deferred_until,deferral_reference,placarded,deferral_ended,resolution,resolved_by,resolved_at',
  ],
  [
    'booking_fact',
    'insert or update or delete on time_off',
    '{"memberId": "membership_id", "start": "starts_at", "end": "ends_at"}',
    'reason',
  ],
  ['booking_fact', 'update of regulatory_part on training_course', '{}'],
  [
    'booking_fact',
    'insert or update or delete on training_test',
    '{"memberId": "membership_id"}',
    'score,examiner,deficiencies,report_number,endorsement_id,recorded_by,expires_at,expiry_notified_days',
  ],
]
