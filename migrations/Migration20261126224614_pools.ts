import { Migration } from '@mikro-orm/migrations'

/** Pools: resources that a booking need not tell apart, and requests that name a pool in place of a resource. */
export class Migration20261126224614_pools extends Migration {
  override up(): void {
    this.addSql(`alter table resource add column pool text check (pool <> '')`)
    this.addSql(`alter table booking_request add column pool text check (pool <> '')`)
  }
}
