import { Migration } from '@mikro-orm/migrations'

/**
 * A member who was merged into another: whom, and when; endorsements and enrollments say from whom they came. Rows that the
 * service may not change are moved by functions: entries of a ledger keep amount and order, and the balances after them add
 * up again.
 */
export class Migration20261123042702_merge extends Migration {
  override up(): void {
    this.addSql(`
      alter table membership add column merged_into integer, add column merged_at timestamp(3) with time zone,
        add foreign key (organization_id, merged_into) references membership (organization_id, id)`)
    for (const table of ['endorsement', 'enrollment']) {
      this.addSql(`
        alter table ${table} add column merged_from integer,
          add foreign key (organization_id, merged_from) references membership (organization_id, id)`)
    }
    this.addSql(`
      create function refuse_ledger_change() returns trigger language plpgsql as $$
      declare
        open text[] := array['membership_id', 'balance_cents'];
      begin
        if tg_op = 'DELETE' and not exists (select 1 from organization where id = old.organization_id) then
          return old;
        end if;
        if tg_op = 'UPDATE' and current_setting('flightline.merge', true) = 'on'
          and to_jsonb(new) - open = to_jsonb(old) - open then
          return new;
        end if;
        raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
      end $$`)
    this.addSql(`
      create or replace trigger append_only before delete or update on ledger_entry
        for each row execute function refuse_ledger_change()`)
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
        if old.confirmed_at is null and old.disowned_at is null then
          open := open || array['confirmed_at', 'disowned_at'];
        end if;
        if new.document_id is null then
          open := open || array['document_id'];
        end if;
        if current_setting('flightline.merge', true) = 'on' then
          open := open || array['membership_id', 'merged_from', 'transaction_id'];
        end if;
        if tg_op = 'DELETE' or to_jsonb(new) - open <> to_jsonb(old) - open then
          raise exception 'an endorsement cannot change' using errcode = 'restrict_violation';
        end if;
        return new;
      end $$`)
    this.addSql(`
      create function move_ledger(organization integer, source integer, target integer) returns void
        language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        perform set_config('flightline.merge', 'on', true);
        update ledger_entry set membership_id = target where organization_id = organization and membership_id = source;
        update ledger_entry l set balance_cents = s.balance
          from (select id, sum(amount_cents) over (order by id) as balance from ledger_entry
                 where organization_id = organization and membership_id = target) s
          where l.organization_id = organization and l.id = s.id and l.balance_cents <> s.balance;
        perform set_config('flightline.merge', '', true);
      end $$`)
    // A record of a currency and an endorsement name a document of the same member: all three move in one statement.
    this.addSql(`
      create function move_papers(organization integer, source integer, target integer) returns void
        language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        perform set_config('flightline.merge', 'on', true);
        delete from currency_record s where s.organization_id = organization and s.membership_id = source
          and exists (select 1 from currency_record t where t.organization_id = organization and t.membership_id = target
            and t.currency_rule_id = s.currency_rule_id);
        with documents as (
          update document set membership_id = target where organization_id = organization and membership_id = source),
        currencies as (
          update currency_record set membership_id = target where organization_id = organization and membership_id = source)
        update endorsement set membership_id = target, merged_from = source
          where organization_id = organization and membership_id = source;
        perform set_config('flightline.merge', '', true);
      end $$`)
    this.addSql('revoke all on function move_ledger from public')
    this.addSql('revoke all on function move_papers from public')
  }
}
