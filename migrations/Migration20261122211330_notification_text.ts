import { Migration } from '@mikro-orm/migrations'

/** What a member's notifications are searched by: the words of one member's, and of nobody else's. */
export class Migration20261122211330_notification_text extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`create index concurrently if not exists notification_text on notification
      using gin (organization_id, membership_id, title gin_trgm_ops, body gin_trgm_ops) with (gin_pending_list_limit = 256)`)
  }
}
