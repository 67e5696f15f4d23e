import { Migration } from '@mikro-orm/migrations'

/**
 * Which notice of an end was sent last, in days before it, of documents, endorsements and currencies alike. The columns
 * `expiry_told_at` stay for the release before this one, which writes them; nothing reads them any more.
 */
export class Migration20261122114438_expiry_notices extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function refuse_change_of_endorsement() returns trigger language plpgsql as $$
      declare
        open text[] := array['updated_at', 'expiry_told_at', 'expiry_told_days'];
      begin
        if not exists (select 1 from organization where id = old.organization_id) then
          return coalesce(new, old);
        end if;
        if old.superseded_at is null then
          open := open || array['superseded_at', 'superseded_by_id'];
        end if;
        if tg_op = 'DELETE' or to_jsonb(new) - open <> to_jsonb(old) - open then
          raise exception 'an endorsement cannot change' using errcode = 'restrict_violation';
        end if;
        return new;
      end $$`)
    this.addSql('alter table document add column expiry_told_days smallint')
    this.addSql('update document set expiry_told_days = 30 where expiry_told_at is not null')
    this.addSql('alter table endorsement add column expiry_told_days smallint')
    this.addSql('update endorsement set expiry_told_days = 14 where expiry_told_at is not null')
    this.addSql('alter table currency_notice add column told_days smallint not null default 30')
  }
}
