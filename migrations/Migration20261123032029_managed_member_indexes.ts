import { Migration } from '@mikro-orm/migrations'

/**
 * Two members of an organization share no key of its own, and two managed members no address. One with an account may have
 * the address of a managed one for a while: who joins with a code is tied to nobody.
 */
export class Migration20261123032029_managed_member_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create unique index concurrently if not exists membership_external_id on membership (organization_id, external_id)
        where removed_at is null and external_id is not null`)
    this.addSql(`
      create unique index concurrently if not exists membership_email
        on membership (organization_id, search_email, (account_id is null))
        where removed_at is null and search_email <> ''`)
    this.addSql(`
      create index concurrently if not exists invitation_member on invitation (organization_id, membership_id)
        where membership_id is not null`)
  }
}
