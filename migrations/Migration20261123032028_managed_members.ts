import { Migration } from '@mikro-orm/migrations'

/**
 * Members without an account. The membership says name, address and phone number of every person: the database copies
 * those of an account, and leaves alone what the organization says of a member without one.
 */
export class Migration20261123032028_managed_members extends Migration {
  override up(): void {
    this.addSql('alter table membership alter column account_id drop not null')
    this.addSql('alter table membership add column phone text, add column external_id text')
    this.addSql(`
      create or replace function note_name() returns trigger language plpgsql as $$
      begin
        if new.account_id is not null then
          select a.name, a.email, a.phone into new.search_name, new.search_email, new.phone
            from account a where a.id = new.account_id;
          new.search_name := coalesce(new.search_name, '');
          new.search_email := coalesce(new.search_email, '');
        end if;
        return new;
      end $$`)
    this.addSql(`
      create or replace function note_account_name() returns trigger language plpgsql as $$
      begin
        update membership set search_name = new.name, search_email = new.email, phone = new.phone
          where account_id = new.id;
        return null;
      end $$`)
    this.addSql(`
      create or replace trigger note_account_name after update of name, email, phone on account
        for each row when ((old.name, old.email, old.phone) is distinct from (new.name, new.email, new.phone))
        execute function note_account_name()`)
    this.addSql(`
      update membership m set phone = a.phone from account a where a.id = m.account_id and a.phone is not null`)
    this.addSql(`
      alter table membership add constraint membership_managed_check
        check (account_id is not null or removed_at is not null or (search_name <> '' and not owner))`)
    this.addSql(`
      alter table invitation add column membership_id integer,
        add foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade`)
  }
}
