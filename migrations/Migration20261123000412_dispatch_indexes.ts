import { Migration } from '@mikro-orm/migrations'

/** Flights that are out, for the alarms and the board. */
export class Migration20261123000412_dispatch_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists reservation_expected_back
        on reservation (expected_back_at) where live and ramped_out_at is not null and ramped_in_at is null`)
  }
}
