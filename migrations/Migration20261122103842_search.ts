import { Migration } from '@mikro-orm/migrations'

/**
 * What search finds members and bookings by. A member's name is kept beside the membership, so that the index of an
 * organization's names holds no others. The lists of pending entries are short, since every search reads them whole.
 */
export class Migration20261122103842_search extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql("alter table membership add column if not exists search_name text not null default ''")
    this.addSql(`
      create or replace function note_name() returns trigger language plpgsql as $$
      begin
        new.search_name := coalesce((select a.name from account a where a.id = new.account_id), '');
        return new;
      end $$`)
    this.addSql(`
      create or replace function note_account_name() returns trigger language plpgsql as $$
      begin
        update membership set search_name = new.name where account_id = new.id;
        return null;
      end $$`)
    this.addSql(`
      create or replace trigger note_name before insert or update of account_id on membership
        for each row execute function note_name()`)
    this.addSql(`
      create or replace trigger note_account_name after update of name on account
        for each row when (old.name is distinct from new.name) execute function note_account_name()`)
    this.addSql(`
      update membership m set search_name = a.name from account a where a.id = m.account_id and m.search_name <> a.name`)
    this.addSql(`
      create index concurrently if not exists membership_search on membership
        using gin (organization_id, search_name gin_trgm_ops) with (gin_pending_list_limit = 256)`)
    this.addSql(`
      create index concurrently if not exists reservation_title on reservation
        using gin (organization_id, title gin_trgm_ops) with (gin_pending_list_limit = 256) where live`)
  }
}
