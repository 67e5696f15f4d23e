import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { describeSchema } from '../../src/local/schema/describe-schema.ts'
import { migrationsFolder } from '../../src/shared/platform/db/run-migrations.ts'
import { cloneDatabase, emptyDatabase } from '../support/database.ts'
import { runSome } from '../support/migrations-folder.ts'

const declared = readFileSync(join(migrationsFolder, 'schema.txt'), 'utf8')
const files = readdirSync(migrationsFolder).filter((file) => /^Migration.*\.ts$/.test(file))

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

test('all migrations together make the declared schema (`npm run schema` declares a new one)', async () => {
  expect(await onDatabase(await cloneDatabase(), describeSchema)).toBe(declared)
})

test('a database that the first releases made grows to the declared schema', async () => {
  const url = await emptyDatabase()
  await runSome(
    url,
    files.filter((file) => file < 'Migration20261101000229'),
  )
  await onDatabase(url, (client) => client.query(asFirstMade))
  await runSome(url, files)
  expect(await onDatabase(url, describeSchema)).toBe(declared)
})

/** What of today's schema the migrations of the first releases did not make, or made otherwise. */
const asFirstMade = `
  alter table invoice drop column checked_at, drop column refunded_at, drop column refunded_cents,
    drop column reminder_stage, drop column revision;
  alter table reservation drop column reminded_for;
  alter table booking_request drop column meeting_claimed_until, drop column meeting_key;
  alter table connected_account drop column connected_at, drop column refresh_claimed_until;
  drop index confirmation_member, credit_entry_created_by, credit_entry_record_id, currency_record_recorder,
    endorsement_enrollment_id, endorsement_signed_by, endorsement_superseded_by_id, enrollment_certified_by,
    enrollment_course_id, enrollment_ended_by, enrollment_instructor_id, enrollment_membership_id, enrollment_newest,
    enrollment_version_id, invitation_inviter, invoice_enrollment, invoice_flight, invoice_guest, invoice_memo,
    invoice_item_text, join_request_account, join_request_decider, ledger_entry_author, ledger_entry_invoice,
    membership_account, outbox_owed, payer_stake_guest, payer_stake_member, processor_customer_guest,
    processor_customer_member, reservation_canceller, reservation_creator, reservation_event_member,
    reservation_location, reservation_unsigned, resource_approval_approver, resource_file_uploader,
    syllabus_version_published_by, training_grant_course_id, training_grant_granted_by, training_record_amended_by,
    training_record_amended_by_id, training_record_countersigned_by, training_record_graded_by,
    training_record_instructor_id, training_record_reservation_id, training_record_signed_by;
  create index credit_entry_record on credit_entry (organization_id, record_id) where record_id is not null;
  create index enrollment_member on enrollment (organization_id, membership_id);
  create index enrollment_version on enrollment (organization_id, version_id);
  create index training_record_reservation on training_record (organization_id, reservation_id)
    where reservation_id is not null;
  create index invoice_created on invoice (organization_id, created_at desc, id desc);
  create index membership_account on membership (account_id) where removed_at is null;
  create index outbox_owed on outbox (handed_over_at nulls first, available_at) where failed_at is null;
  create index reservation_unsigned on reservation (coalesce(signatures_cleared_at, ramped_in_at))
    where live and ramped_in_at is not null and signed_off_at is null and review_reminder_stage < 7;
  drop extension btree_gin`
