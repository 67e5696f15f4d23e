import { Migration } from '@mikro-orm/migrations'

/**
 * What lists search and sort by. A member's address is kept beside the membership, as the name is, so that both are found
 * in the organization's own part of one index; members stand in two orders, by name as it is compared and as people
 * sort it. Titles and notes of bookings share one index, of cancelled ones too.
 */
export class Migration20261122135825_text_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql("alter table membership add column if not exists search_email text not null default ''")
    this.addSql(`
      create or replace function note_name() returns trigger language plpgsql as $$
      begin
        select a.name, a.email into new.search_name, new.search_email from account a where a.id = new.account_id;
        new.search_name := coalesce(new.search_name, '');
        new.search_email := coalesce(new.search_email, '');
        return new;
      end $$`)
    this.addSql(`
      create or replace function note_account_name() returns trigger language plpgsql as $$
      begin
        update membership set search_name = new.name, search_email = new.email where account_id = new.id;
        return null;
      end $$`)
    this.addSql(`
      create or replace trigger note_account_name after update of name, email on account
        for each row when (old.name is distinct from new.name or old.email is distinct from new.email)
        execute function note_account_name()`)
    this.addSql(`
      update membership m set search_email = a.email from account a where a.id = m.account_id and m.search_email <> a.email`)
    this.addSql(`
      create index concurrently if not exists membership_text on membership
        using gin (organization_id, search_name gin_trgm_ops, search_email gin_trgm_ops) with (gin_pending_list_limit = 256)`)
    this.addSql('drop index concurrently if exists membership_search')
    this.addSql(`
      create index concurrently if not exists membership_name on membership (organization_id, search_name, id)
        where removed_at is null`)
    this.addSql(`
      create index concurrently if not exists membership_sorted_name on membership
        (organization_id, (nullif(search_name, '') collate natural_order), search_name, id) where removed_at is null`)
    this.addSql(`
      create index concurrently if not exists reservation_text on reservation
        using gin (organization_id, title gin_trgm_ops, notes gin_trgm_ops) with (gin_pending_list_limit = 256)`)
    this.addSql('drop index concurrently if exists reservation_title')
    this.addSql(`
      create index concurrently if not exists event_kind on event (organization_id, kind, at, sequence)`)
  }
}
