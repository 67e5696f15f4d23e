import { Migration } from '@mikro-orm/migrations'

/** Where a place is offered, what makes bookings be judged again makes the offers be looked through too. */
export class Migration20261127030500_recovery_offer_marks extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function mark_places() returns trigger language plpgsql as $function$
      declare
        looked_through integer[] := array(select distinct a.organization_id from added a
          where a.job = 'reservations.judge-at-risk' and (
            exists (select from waitlist_entry e where e.organization_id = a.organization_id and e.status = 'waiting')
            or exists (select from offer f where f.organization_id = a.organization_id and f.status = 'open')));
      begin
        -- Without a row, the statement would fire this trigger again.
        if cardinality(looked_through) > 0 then
          insert into job_mark (organization_id, job, about)
          select a.organization_id, 'waitlist.offer-places', a.about from added a
          where a.job = 'reservations.judge-at-risk' and a.organization_id = any(looked_through);
        end if;
        return null;
      end $function$`)
  }
}
