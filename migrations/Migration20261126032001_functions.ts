import { Migration } from '@mikro-orm/migrations'

/** Extensions, the collation of names with numbers, and the functions of triggers. */
export class Migration20261126032001_functions extends Migration {
  override up(): void {
    this.addSql('create extension btree_gin')
    this.addSql('create extension btree_gist')
    this.addSql('create extension pg_trgm')
    this.addSql(`
      create collation natural_order (provider = icu, locale = 'en-u-kn-true-ks-level1', deterministic = false)`)
    this.addSql(`
      create function refuse_change() returns trigger language plpgsql as $function$
      begin
        if tg_op = 'DELETE' and not exists (select 1 from organization where id = old.organization_id) then
          return old;
        end if;
        raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
      end $function$`)
    this.addSql(`
      create function refuse_change_of_published_syllabus() returns trigger language plpgsql as $function$
      begin
        if exists (
          select 1 from touched t
          join syllabus_version v on v.organization_id = t.organization_id and v.id = t.version_id
          join organization o on o.id = t.organization_id
          where v.state <> 'draft'
        ) then
          raise exception '% of a published syllabus cannot change', tg_table_name using errcode = 'restrict_violation';
        end if;
        return null;
      end $function$`)
    this.addSql(`
      create function refuse_change_of_published_version() returns trigger language plpgsql as $function$
      begin
        if old.state = 'draft' or not exists (select 1 from organization where id = old.organization_id) then
          return coalesce(new, old);
        end if;
        if tg_op = 'DELETE' or new.state = 'draft'
          or to_jsonb(new) - array['state', 'updated_at'] <> to_jsonb(old) - array['state', 'updated_at'] then
          raise exception 'a published version cannot change' using errcode = 'restrict_violation';
        end if;
        return new;
      end $function$`)
    this.addSql(`
      create function refuse_change_of_signed_record() returns trigger language plpgsql as $function$
      declare
        open text[] := array['updated_at'];
      begin
        if old.signed_at is null or not exists (select 1 from organization where id = old.organization_id) then
          return coalesce(new, old);
        end if;
        if old.countersigned_at is null then
          open := open || array['countersigned_at', 'countersigned_by', 'countersigner_certificate_number'];
        end if;
        if old.amended_at is null then
          open := open || array['amended_at', 'amended_by_id', 'amended_by', 'amend_reason'];
        end if;
        if tg_op = 'DELETE' or to_jsonb(new) - open <> to_jsonb(old) - open then
          raise exception 'a signed training record cannot change' using errcode = 'restrict_violation';
        end if;
        return new;
      end $function$`)
    this.addSql(`
      create function refuse_change_of_endorsement() returns trigger language plpgsql as $function$
      declare
        open text[] := array['updated_at', 'expiry_notified_days'];
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
      end $function$`)
    this.addSql(`
      create function note_memo() returns trigger language plpgsql as $function$
      begin
        new.search := case when tg_op = 'INSERT' and new.search <> '' then lower(new.search)
          else invoice_words(new.organization_id, new.id, new.memo) end;
        return new;
      end $function$`)
    this.addSql(`
      create function note_items() returns trigger language plpgsql as $function$
      begin
        update invoice i set search = invoice_words(i.organization_id, i.id, i.memo)
        from (select distinct organization_id, invoice_id from changed) c
        where i.organization_id = c.organization_id and i.id = c.invoice_id
          and exists (select 1 from organization o where o.id = c.organization_id)
          and i.search <> invoice_words(i.organization_id, i.id, i.memo);
        return null;
      end $function$`)
    this.addSql(`
      create function purge_gateway_events(before timestamptz, most integer) returns integer language plpgsql
        security definer set search_path = public, pg_temp as $function$
      declare
        purged integer;
      begin
        delete from gateway_event where id = any(array(
          select id from gateway_event where created_at < least(before, now() - interval '60 days')
          limit most for update skip locked));
        get diagnostics purged = row_count;
        return purged;
      end $function$`)
    this.addSql(`
      create function purge_unconfirmed_requests(before timestamptz, most integer) returns integer language plpgsql
        security definer set search_path = public, pg_temp as $function$
      declare
        purged integer;
      begin
        delete from booking_request where id = any(array(
          select id from booking_request
          where status = 'awaiting_confirmation' and created_at < before
          limit most for update skip locked));
        get diagnostics purged = row_count;
        return purged;
      end $function$`)
    this.addSql(`
      create function stamp_row() returns trigger language plpgsql as $function$
      begin
        new.updated_at := now();
        new.transaction_id := pg_current_xact_id();
        return new;
      end $function$`)
    this.addSql(`
      create function refuse_event_change() returns trigger language plpgsql as $function$
      begin
        if tg_op = 'DELETE' and (old.at < now() - interval '7 years'
            or not exists (select 1 from organization where id = old.organization_id)) then
          return old;
        end if;
        raise exception 'event is append-only' using errcode = 'restrict_violation';
      end $function$`)
    this.addSql(`
      create function purge_events(older_than timestamptz, most integer) returns integer language plpgsql
        security definer set search_path = public, pg_temp as $function$
      declare
        purged integer;
      begin
        delete from event where ctid = any(array(
          select ctid from event where at < least(older_than, now() - interval '7 years')
          limit most for update skip locked));
        get diagnostics purged = row_count;
        return purged;
      end $function$`)
    this.addSql(`
      create function note_name() returns trigger language plpgsql as $function$
      begin
        if new.account_id is not null then
          select a.name, a.email, a.phone into new.search_name, new.search_email, new.phone
            from account a where a.id = new.account_id;
          new.search_name := coalesce(new.search_name, '');
          new.search_email := coalesce(new.search_email, '');
        end if;
        return new;
      end $function$`)
    this.addSql(`
      create function note_account_name() returns trigger language plpgsql as $function$
      begin
        update membership set search_name = new.name, search_email = new.email, phone = new.phone
          where account_id = new.id;
        return null;
      end $function$`)
    this.addSql(`
      create function note_billed() returns trigger language plpgsql as $function$
      declare standing boolean;
      begin
        perform from reservation r where r.organization_id = new.organization_id and r.id = new.reservation_id
          for no key update;
        standing := exists (select from invoice i where i.organization_id = new.organization_id
            and i.reservation_id = new.reservation_id
            and invoice_stands(i.status, i.total_cents, i.credited_cents))
          or exists (select from ledger_entry e where e.organization_id = new.organization_id
            and e.reservation_id = new.reservation_id and e.kind = 'flight_charge'
            and not exists (select from ledger_entry v where v.reverses_id = e.id)
            and not exists (select from invoice i where i.organization_id = e.organization_id and i.id = e.invoice_id
              and not invoice_stands(i.status, i.total_cents, i.credited_cents)));
        update reservation r set billed = standing
         where r.organization_id = new.organization_id and r.id = new.reservation_id and r.billed <> standing;
        return null;
      end $function$`)
    this.addSql(`
      create function refuse_ledger_change() returns trigger language plpgsql as $function$
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
      end $function$`)
    this.addSql(`
      create function move_ledger(organization integer, source integer, target integer) returns void language plpgsql
        security definer set search_path = public, pg_temp as $function$
      begin
        perform set_config('flightline.merge', 'on', true);
        update ledger_entry set membership_id = target where organization_id = organization and membership_id = source;
        update ledger_entry l set balance_cents = s.balance
          from (select id, sum(amount_cents) over (order by id) as balance from ledger_entry
                 where organization_id = organization and membership_id = target) s
          where l.organization_id = organization and l.id = s.id and l.balance_cents <> s.balance;
        perform set_config('flightline.merge', '', true);
      end $function$`)
    this.addSql(`
      create function move_papers(organization integer, source integer, target integer) returns void language plpgsql
        security definer set search_path = public, pg_temp as $function$
      begin
        perform set_config('flightline.merge', 'on', true);
        delete from currency_record s where s.organization_id = organization and s.membership_id = source
          and exists (select 1 from currency_record t where t.organization_id = organization and t.membership_id = target
            and t.currency_id = s.currency_id);
        with documents as (
          update document set membership_id = target where organization_id = organization and membership_id = source),
        currencies as (
          update currency_record set membership_id = target, merged_from = source
            where organization_id = organization and membership_id = source)
        update endorsement set membership_id = target, merged_from = source
          where organization_id = organization and membership_id = source;
        perform set_config('flightline.merge', '', true);
      end $function$`)
    this.addSql(`
      create function invoice_stands(status text, total_cents integer, credited_cents integer) returns boolean
        language sql immutable parallel safe return ((status = any (array['pending', 'open', 'paid'])) and
        ((total_cents = 0) or (credited_cents < total_cents)))`)
    this.addSql(`
      create function count_package_use() returns trigger language plpgsql as $function$
      declare taken integer := case when tg_op = 'INSERT' then new.quantity else -new.quantity end;
      begin
        update package_purchase p set used = p.used + taken,
          remaining = case when taken > 0 then p.remaining - taken
            else greatest(0, p.granted - p.withdrawn - p.used - taken) end
         where p.organization_id = new.organization_id and p.id = new.purchase_id;
        return null;
      end $function$`)
    this.addSql(`
      create function return_packages() returns trigger language plpgsql as $function$
      begin
        update package_use u set returned_at = now()
          from package_purchase p join invoice b on b.organization_id = p.organization_id and b.id = p.invoice_id
         where u.organization_id = new.organization_id and u.invoice_id = new.id and u.returned_at is null
           and p.organization_id = u.organization_id and p.id = u.purchase_id
           and (p.expires_after_days is null or b.paid_at + p.expires_after_days * interval '1 day' > now());
        return null;
      end $function$`)
  }
}
