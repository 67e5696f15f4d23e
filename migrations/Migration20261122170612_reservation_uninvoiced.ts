import { Migration } from '@mikro-orm/migrations'

/**
 * Notes which bookings are billed already, 5,000 ids at a time, so that nobody waits for long; that is no change of a
 * booking, and leaves its time of change. Then builds the index of those that are not.
 */
export class Migration20261122170612_reservation_uninvoiced extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      do $$
      declare
        first integer := (select min(id) from reservation);
        last integer := (select max(id) from reservation);
      begin
        while first <= last loop
          alter table reservation disable trigger write_stamp;
          update reservation r set billed = true
           where r.id between first and first + 4999 and not r.billed
             and (exists (select from invoice i where i.organization_id = r.organization_id
                and i.reservation_id = r.id and i.status in ('pending', 'open', 'paid'))
              or exists (select from ledger_entry e where e.organization_id = r.organization_id
                and e.reservation_id = r.id and e.kind = 'flight_charge'
                and not exists (select from ledger_entry v where v.reverses_id = e.id)));
          alter table reservation enable trigger write_stamp;
          commit;
          first := first + 5000;
        end loop;
      end $$`)
    this.addSql(`
      create index concurrently if not exists reservation_uninvoiced on reservation (organization_id, starts_at desc, id desc)
        where live and not billed`)
  }
}
