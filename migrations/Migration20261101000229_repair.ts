import { Migration } from '@mikro-orm/migrations'

/** What was added to migrations after they had landed: table, column and its definition. */
const columns = [
  ['booking_request', 'meeting_claimed_until', 'timestamptz(3)'],
  ['booking_request', 'meeting_key', 'text'],
  ['connected_account', 'refresh_claimed_until', 'timestamptz(3)'],
  ['connected_account', 'connected_at', 'timestamptz(3)'],
  ['invoice', 'checked_at', 'timestamptz(3)'],
  ['invoice', 'refunded_at', 'timestamptz(3)'],
  ['invoice', 'refunded_cents', 'integer not null default 0 check (refunded_cents >= 0)'],
  ['invoice', 'reminder_stage', 'smallint not null default 0'],
  ['invoice', 'revision', 'integer not null default 0'],
  ['reservation', 'reminded_for', 'timestamptz(3)'],
] as const

/** Indexes by name, table and definition. */
const indexes = [
  ['confirmation_member', 'confirmation', '(organization_id, membership_id)'],
  ['credit_entry_created_by', 'credit_entry', '(organization_id, created_by)'],
  ['credit_entry_record_id', 'credit_entry', '(organization_id, record_id) where record_id is not null'],
  ['currency_record_recorder', 'currency_record', '(organization_id, recorded_by)'],
  ['endorsement_enrollment_id', 'endorsement', '(organization_id, enrollment_id) where enrollment_id is not null'],
  ['endorsement_signed_by', 'endorsement', '(organization_id, signed_by)'],
  [
    'endorsement_superseded_by_id',
    'endorsement',
    '(organization_id, superseded_by_id) where superseded_by_id is not null',
  ],
  ['enrollment_certified_by', 'enrollment', '(organization_id, certified_by) where certified_by is not null'],
  ['enrollment_course_id', 'enrollment', '(organization_id, course_id)'],
  ['enrollment_ended_by', 'enrollment', '(organization_id, ended_by) where ended_by is not null'],
  ['enrollment_instructor_id', 'enrollment', '(organization_id, instructor_id) where instructor_id is not null'],
  ['enrollment_membership_id', 'enrollment', '(organization_id, membership_id)'],
  ['enrollment_newest', 'enrollment', '(organization_id, created_at desc, id desc)'],
  ['enrollment_version_id', 'enrollment', '(organization_id, version_id)'],
  ['invitation_inviter', 'invitation', '(organization_id, invited_by)'],
  [
    'invoice_created',
    'invoice',
    '(organization_id, created_at desc, id desc) include (status, total_cents, amount_paid_cents, refunded_cents, due_at)',
  ],
  ['invoice_enrollment', 'invoice', '(organization_id, enrollment_id) where enrollment_id is not null'],
  ['invoice_flight', 'invoice', '(organization_id, reservation_id) where reservation_id is not null'],
  ['invoice_guest', 'invoice', '(organization_id, guest_id) where guest_id is not null'],
  [
    'invoice_to_check',
    'invoice',
    "(coalesce(checked_at, created_at)) where ((settlement = 'processor') and (status in ('pending', 'open')))",
  ],
  ['invoice_to_remind', 'invoice', "(due_at) where ((status = 'open') and (reminder_stage < 14))"],
  ['join_request_account', 'join_request', '(account_id)'],
  ['join_request_decider', 'join_request', '(organization_id, decided_by) where decided_by is not null'],
  ['ledger_entry_author', 'ledger_entry', '(organization_id, created_by) where created_by is not null'],
  ['ledger_entry_invoice', 'ledger_entry', '(organization_id, invoice_id) where invoice_id is not null'],
  ['membership_account', 'membership', '(account_id)'],
  ['outbox_owed', 'outbox', '(available_at) where (failed_at is null)'],
  ['payer_stake_guest', 'payer_stake', '(organization_id, guest_id) where guest_id is not null'],
  ['payer_stake_member', 'payer_stake', '(organization_id, membership_id)'],
  ['processor_customer_guest', 'processor_customer', '(organization_id, guest_id) where guest_id is not null'],
  [
    'processor_customer_member',
    'processor_customer',
    '(organization_id, membership_id) where membership_id is not null',
  ],
  ['reservation_canceller', 'reservation', '(organization_id, cancelled_by) where cancelled_by is not null'],
  ['reservation_creator', 'reservation', '(organization_id, created_by)'],
  ['reservation_event_member', 'reservation_event', '(organization_id, membership_id)'],
  ['reservation_location', 'reservation', '(organization_id, location_id) where location_id is not null'],
  ['reservation_to_remind', 'reservation', '(starts_at) where (live and (reminded_for is null))'],
  [
    'reservation_unsigned',
    'reservation',
    "(coalesce(signatures_cleared_at, ramped_in_at, ends_at)) where (live and ((ramped_in_at is not null) or (type = 'ground') or ((type = 'sim') and (resource_id is null))) and (signed_off_at is null) and (review_reminder_stage < 7))",
  ],
  ['resource_approval_approver', 'resource_approval', '(organization_id, approved_by)'],
  ['resource_file_uploader', 'resource_file', '(organization_id, uploaded_by)'],
  [
    'syllabus_version_published_by',
    'syllabus_version',
    '(organization_id, published_by) where published_by is not null',
  ],
  ['training_grant_course_id', 'training_grant', '(organization_id, course_id) where course_id is not null'],
  ['training_grant_granted_by', 'training_grant', '(organization_id, granted_by)'],
  ['training_record_amended_by', 'training_record', '(organization_id, amended_by) where amended_by is not null'],
  [
    'training_record_amended_by_id',
    'training_record',
    '(organization_id, amended_by_id) where amended_by_id is not null',
  ],
  [
    'training_record_countersigned_by',
    'training_record',
    '(organization_id, countersigned_by) where countersigned_by is not null',
  ],
  ['training_record_graded_by', 'training_record', '(organization_id, graded_by)'],
  ['training_record_instructor_id', 'training_record', '(organization_id, instructor_id)'],
  [
    'training_record_reservation_id',
    'training_record',
    '(organization_id, reservation_id) where reservation_id is not null',
  ],
  ['training_record_signed_by', 'training_record', '(organization_id, signed_by) where signed_by is not null'],
] as const

/** Indexes of the same purpose under the names that they had at first. */
const renamed = ['credit_entry_record', 'enrollment_member', 'enrollment_version', 'training_record_reservation']

/** Indexes that were defined otherwise at first, by a word of today's definition that theirs lacks, or of theirs. */
const redefined = [
  ['invoice_created', 'strpos(definition, $q$refunded_cents$q$) = 0'],
  ['membership_account', 'strpos(definition, $q$removed_at$q$) > 0'],
  ['outbox_owed', 'strpos(definition, $q$handed_over_at$q$) > 0'],
  ['reservation_unsigned', 'strpos(definition, $q$ends_at$q$) = 0'],
] as const

/**
 * Gives databases that earlier releases made what was added to migrations after they had run there. Finds nothing to do
 * in any other. It stands before the migrations that need what those databases lack.
 */
export class Migration20261101000229_repair extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    for (const extension of ['btree_gin', 'btree_gist', 'pg_trgm']) {
      this.addSql(`create extension if not exists ${extension}`)
    }
    for (const [table, column, definition] of columns) {
      this.addSql(`alter table ${table} add column if not exists ${column} ${definition}`)
    }
    this.addSql('update connected_account set connected_at = created_at where connected_at is null')
    this.addSql('alter table connected_account alter column connected_at set not null')
    for (const index of renamed) this.addSql(`drop index concurrently if exists ${index}`)
    for (const [index, outdated] of redefined) {
      this.addSql(`
        do $$ declare definition text := pg_get_indexdef(to_regclass('${index}')); begin
          if ${outdated} then drop index ${index}; end if;
        end $$`)
    }
    for (const [index, table, definition] of indexes) {
      this.addSql(`create index concurrently if not exists ${index} on ${table} ${definition}`)
    }
    // The first databases lack these two. A later migration drops them by name, so here they only have to exist.
    for (const [index, table] of [
      ['invoice_memo', 'invoice'],
      ['invoice_item_text', 'invoice_item'],
    ]) {
      this.addSql(`
        do $$ begin
          if not exists (select from pg_attribute where attrelid = 'invoice'::regclass and attname = 'search') then
            create index if not exists ${index} on ${table} (id) where false;
          end if;
        end $$`)
    }
  }
}
