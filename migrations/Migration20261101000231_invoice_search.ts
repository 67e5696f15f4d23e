import { Migration } from '@mikro-orm/migrations'

/**
 * What free text finds an invoice by, beside its number and payer: its memo and lines in one column, so that words
 * that are on nearly every invoice are looked for in one pass, and rare ones by one index.
 */
export class Migration20261101000231_invoice_search extends Migration {
  override up(): void {
    this.addSql("alter table invoice add column search text not null default ''")
    this.addSql(`
      create function invoice_words(organization integer, invoice integer, memo text) returns text language sql stable
      return lower(concat_ws(E'\\n', memo, (
        select string_agg(t.description, E'\\n' order by t.position) from invoice_item t
        where t.organization_id = organization and t.invoice_id = invoice)))`)
    this.addSql(`
      create function note_memo() returns trigger language plpgsql as $$
      begin
        new.search := invoice_words(new.organization_id, new.id, new.memo);
        return new;
      end $$`)
    // Items that go with their whole organization leave no invoice to note it on.
    this.addSql(`
      create function note_items() returns trigger language plpgsql as $$
      begin
        update invoice i set search = invoice_words(i.organization_id, i.id, i.memo)
        from (select distinct organization_id, invoice_id from changed) c
        where i.organization_id = c.organization_id and i.id = c.invoice_id
          and exists (select 1 from organization o where o.id = c.organization_id);
        return null;
      end $$`)
    this.addSql('update invoice set search = invoice_words(organization_id, id, memo)')
    this.addSql(
      'create trigger note_memo before insert or update of memo on invoice for each row execute function note_memo()',
    )
    for (const [event, table] of [
      ['insert', 'new'],
      ['update', 'new'],
      ['delete', 'old'],
    ]) {
      this.addSql(`
        create trigger note_items_${event} after ${event} on invoice_item
          referencing ${table} table as changed for each statement execute function note_items()`)
    }
    this.addSql('create index invoice_search on invoice using gin (organization_id, search gin_trgm_ops)')
    this.addSql('drop index invoice_memo')
    this.addSql('drop index invoice_item_text')
  }
}
