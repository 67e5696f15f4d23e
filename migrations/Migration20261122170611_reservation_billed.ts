import { Migration } from '@mikro-orm/migrations'

/**
 * Whether a booking is billed: it has an invoice that stands, or a flight charge that is not reversed. Invoices and the
 * ledger decide it and the booking keeps it, so that an index knows the few bookings that nobody has billed.
 */
export class Migration20261122170611_reservation_billed extends Migration {
  override up(): void {
    this.addSql('alter table reservation add column billed boolean not null default false')
    // Whoever changes another invoice of the booking waits for its row, and then sees ours.
    this.addSql(`
      create function note_billed() returns trigger language plpgsql as $$
      declare standing boolean;
      begin
        perform from reservation r where r.organization_id = new.organization_id and r.id = new.reservation_id
          for no key update;
        standing := exists (select from invoice i where i.organization_id = new.organization_id
            and i.reservation_id = new.reservation_id and i.status in ('pending', 'open', 'paid'))
          or exists (select from ledger_entry e where e.organization_id = new.organization_id
            and e.reservation_id = new.reservation_id and e.kind = 'flight_charge'
            and not exists (select from ledger_entry v where v.reverses_id = e.id));
        update reservation r set billed = standing
         where r.organization_id = new.organization_id and r.id = new.reservation_id and r.billed <> standing;
        return null;
      end $$`)
    this.addSql(`
      create trigger note_billed after insert on invoice
        for each row when (new.reservation_id is not null) execute function note_billed()`)
    this.addSql(`
      create trigger note_billed_again after update of status on invoice for each row
        when (new.reservation_id is not null
          and (old.status in ('pending', 'open', 'paid')) <> (new.status in ('pending', 'open', 'paid')))
        execute function note_billed()`)
    this.addSql(`
      create trigger note_billed after insert on ledger_entry
        for each row when (new.reservation_id is not null and new.kind in ('flight_charge', 'reversal'))
        execute function note_billed()`)
  }
}
