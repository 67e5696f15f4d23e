import { Migration } from '@mikro-orm/migrations'

/** A place is offered to an entry again after its offer was withdrawn: once without an answer, and not once for all. */
export class Migration20261127032600_offers_anew extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create unique index concurrently if not exists offer_kept_or_answered
        on offer (organization_id, entry_id, resource_id, starts_at) where entry_id is not null and status <> 'withdrawn'`)
    this.addSql(`
      create index concurrently if not exists offer_entry_id on offer (organization_id, entry_id)
        where entry_id is not null`)
    this.addSql('drop index concurrently if exists offer_of_place')
  }
}
