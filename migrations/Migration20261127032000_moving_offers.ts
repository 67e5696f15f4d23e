import { Migration } from '@mikro-orm/migrations'

/** A booking has one open offer that moves it. Of several, the earliest stays open. */
export class Migration20261127032000_moving_offers extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      update offer f set status = 'withdrawn', cause = 'impossible', ended_at = now(), seed = null, token_hash = null
      where f.status = 'open' and exists (select from offer o where o.organization_id = f.organization_id
        and o.moves_id = f.moves_id and o.status = 'open' and o.id < f.id)`)
    // One that could not be built, because of an offer that was made meanwhile, is built anew.
    this.addSql('drop index concurrently if exists offer_moving')
    this.addSql(`
      create unique index concurrently offer_moving on offer (organization_id, moves_id)
        where status = 'open' and moves_id is not null`)
  }
}
