import { Migration } from '@mikro-orm/migrations'

/** Accounts that were deleted keep no address of mail, nor do the invitations that they accepted. */
export class Migration20261122075655_addresses_of_deleted_accounts extends Migration {
  override up(): void {
    this.addSql(`
      delete from invitation i using account a
       where a.deleted_at is not null and i.email = a.email and i.accepted_at is not null
         and not exists (select from account b where b.email = a.email and b.deleted_at is null)`)
    this.addSql("update account set email = '' where deleted_at is not null")
  }
}
