import { Migration } from '@mikro-orm/migrations'

/** Flights whose invoices were all credited in full before such an invoice stopped to stand are not billed any more. */
export class Migration20261123173900_credited_flights extends Migration {
  override up(): void {
    this.addSql(`
      update reservation r set billed = false
        from (select distinct organization_id, reservation_id from invoice
               where reservation_id is not null and status = 'paid' and total_cents > 0 and credited_cents >= total_cents) c
       where r.organization_id = c.organization_id and r.id = c.reservation_id and r.billed
         and not exists (select from invoice i where i.organization_id = r.organization_id and i.reservation_id = r.id
           and invoice_stands(i.status, i.total_cents, i.credited_cents))
         and not exists (select from ledger_entry e where e.organization_id = r.organization_id and e.reservation_id = r.id
           and e.kind = 'flight_charge' and not exists (select from ledger_entry v where v.reverses_id = e.id)
           and not exists (select from invoice i where i.organization_id = e.organization_id and i.id = e.invoice_id
             and not invoice_stands(i.status, i.total_cents, i.credited_cents)))`)
  }
}
