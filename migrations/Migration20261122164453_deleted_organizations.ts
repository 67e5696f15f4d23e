import { Migration } from '@mikro-orm/migrations'

/** What operators are told of an organization that was deleted: everything else of it is gone. */
export class Migration20261122164453_deleted_organizations extends Migration {
  override up(): void {
    this.addSql(`
      create table deleted_organization (
        id integer primary key,
        name text not null,
        created_at timestamptz(3) not null,
        deleted_at timestamptz(3) not null,
        deleted_by integer not null references account (id),
        members integer not null,
        resources integer not null,
        bookings integer not null,
        invoices integer not null
      )`)
    this.addSql('create index deleted_organization_deleted_by on deleted_organization (deleted_by)')
  }
}
