import { Migration } from '@mikro-orm/migrations'

/** A practical test that was passed replaces a flight review, so that bookings ahead are judged again. */
export class Migration20261123162500_training_test_facts extends Migration {
  override up(): void {
    this.addSql(`create trigger booking_fact after insert or update or delete on training_test for each row
      execute function booking_fact_changed('{"memberId": "membership_id"}',
        '{score,examiner,deficiencies,report_number,endorsement_id,recorded_by,expires_at,expiry_told_days}', 'organization_id')`)
  }
}
