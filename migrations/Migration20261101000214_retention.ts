import { Migration } from '@mikro-orm/migrations'

/** What finds the rows that were kept long enough. */
export class Migration20261101000214_retention extends Migration {
  override up(): void {
    this.addSql('create index mail_token_end on mail_token (expires_at)')
    this.addSql('create index invitation_end on invitation (expires_at) where accepted_at is null')
    this.addSql('create index connection_state_end on connection_state (expires_at)')
    this.addSql('create index outbox_failed on outbox (failed_at) where failed_at is not null')
    this.addSql('create index notification_age on notification (created_at)')
    this.addSql('create index processor_event_age on processor_event (created_at)')
    this.addSql('create index account_deleted on account (id) where deleted_at is not null')
    this.addSql(`
      create index booking_request_unconfirmed on booking_request (created_at)
        where status = 'awaiting_confirmation'`)
  }
}
