import { Migration } from '@mikro-orm/migrations'

/** The UID under which a calendar knows a booking: random for new bookings; earlier ones keep theirs, made of the id. */
export class Migration20261122170349_reservation_uid extends Migration {
  override up(): void {
    this.addSql('alter table reservation add column uid uuid')
    this.addSql('alter table reservation alter column uid set default gen_random_uuid()')
  }
}
