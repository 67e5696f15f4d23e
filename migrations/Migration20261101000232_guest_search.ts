import { Migration } from '@mikro-orm/migrations'

/** Guests are found by a part of their name, address or phone number. */
export class Migration20261101000232_guest_search extends Migration {
  override up(): void {
    this.addSql(`
      create index guest_search on guest
        using gin (organization_id, name gin_trgm_ops, email gin_trgm_ops, phone gin_trgm_ops)`)
  }
}
