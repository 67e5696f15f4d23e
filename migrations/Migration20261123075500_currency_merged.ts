import { Migration } from '@mikro-orm/migrations'

/** A date of a currency says from whom a merge brought it, as endorsements do. */
export class Migration20261123075500_currency_merged extends Migration {
  override up(): void {
    this.addSql(`
      alter table currency_record add column merged_from integer,
        add foreign key (organization_id, merged_from) references membership (organization_id, id)`)
    this.addSql(`
      create or replace function move_papers(organization integer, source integer, target integer) returns void
        language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        perform set_config('flightline.merge', 'on', true);
        delete from currency_record s where s.organization_id = organization and s.membership_id = source
          and exists (select 1 from currency_record t where t.organization_id = organization and t.membership_id = target
            and t.currency_rule_id = s.currency_rule_id);
        with documents as (
          update document set membership_id = target where organization_id = organization and membership_id = source),
        currencies as (
          update currency_record set membership_id = target, merged_from = source
            where organization_id = organization and membership_id = source)
        update endorsement set membership_id = target, merged_from = source
          where organization_id = organization and membership_id = source;
        perform set_config('flightline.merge', '', true);
      end $$`)
  }
}
