import { Migration } from '@mikro-orm/migrations'

/** A connection is finished in the browser that opened its address: the SHA-256 of what stands in that browser's cookie. */
export class Migration20261122080415_connection_browsers extends Migration {
  override up(): void {
    this.addSql('alter table connection_state add column browser_hash text')
  }
}
