import { Migration } from '@mikro-orm/migrations'

/**
 * An invoice that is credited in full no longer stands: its flight, or the fee of its enrollment, can be billed again.
 * One function says it for statements, triggers and indexes.
 */
export class Migration20261123170500_invoice_stands extends Migration {
  override up(): void {
    this.addSql(`
      create function invoice_stands(status text, total_cents int, credited_cents int) returns boolean
      language sql immutable parallel safe
      return status in ('pending', 'open', 'paid') and (total_cents = 0 or credited_cents < total_cents)`)
    this.addSql(`
      create or replace function note_billed() returns trigger language plpgsql as $$
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
      end $$`)
    this.addSql('drop trigger note_billed_again on invoice')
    this.addSql(`
      create trigger note_billed_again after update of status, total_cents, credited_cents on invoice for each row
        when (new.reservation_id is not null
          and invoice_stands(old.status, old.total_cents, old.credited_cents)
            <> invoice_stands(new.status, new.total_cents, new.credited_cents))
        execute function note_billed()`)
  }
}
