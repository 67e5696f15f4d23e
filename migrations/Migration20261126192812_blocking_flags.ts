import { Migration } from '@mikro-orm/migrations'

/** Reads the flags of blocked bookings without those that only warn. */
export class Migration20261126192812_blocking_flags extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(
      `create index concurrently if not exists reservation_at_risk_blocking on reservation_at_risk (organization_id) where rules <> '[]'`,
    )
  }
}
