import { Migration } from '@mikro-orm/migrations'

/**
 * An aircraft or simulator is out on one booking at a time. Bookings that are out beside a later one when this is
 * introduced are marked, so that they can still be ramped in. The index is built without holding up writers; another
 * booking that the release before lets out in the meantime makes it fail, and is marked when this runs again.
 */
export class Migration20261122080740_resource_out extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('alter table reservation add column if not exists out_beside_another boolean not null default false')
    this.addSql(`
      update reservation r set out_beside_another = true
      where r.live and r.resource_id is not null and r.ramped_out_at is not null and r.ramped_in_at is null
        and not r.out_beside_another
        and exists (
          select 1 from reservation o
          where o.organization_id = r.organization_id and o.resource_id = r.resource_id and o.live
            and o.ramped_out_at is not null and o.ramped_in_at is null and (o.ramped_out_at, o.id) > (r.ramped_out_at, r.id))`)
    this.addSql(`
      create unique index concurrently if not exists reservation_resource_out on reservation (organization_id, resource_id)
        where live and resource_id is not null and ramped_out_at is not null and ramped_in_at is null
          and not out_beside_another`)
  }
}
