import { Migration } from '@mikro-orm/migrations'

/** From which network a guest's request came, and when a booking by desk staff ended its hold. The mark is a keyed hash. */
export class Migration20261126012542_unconfirmed_holds extends Migration {
  override up(): void {
    this.addSql('alter table booking_request add column hold_ended_at timestamptz(3), add column network_mark text')
  }
}
