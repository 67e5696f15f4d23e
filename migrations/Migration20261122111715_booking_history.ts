import { Migration } from '@mikro-orm/migrations'

/**
 * The history of bookings is part of the event log. What the release before this one adds to reservation_event while it
 * still runs is copied by a trigger; after that nobody writes the table, and a later migration drops it.
 */
export class Migration20261122111715_booking_history extends Migration {
  override up(): void {
    this.addSql(`
      create function copy_reservation_event() returns trigger language plpgsql as $$
      begin
        insert into event (organization_id, id, at, kind, actor_kind, membership_id, subject_kind, subject_id,
            before, after, reason)
        values (new.organization_id, gen_random_uuid(), new.created_at,
            case new.action when 'moved' then 'reservation.changed' else 'reservation.' || new.action end,
            case when new.membership_id is null then 'system' else 'person' end,
            new.membership_id, 'reservation', new.reservation_id, new.before, new.after, new.reason);
        return null;
      end $$`)
    this.addSql(
      'create trigger copied after insert on reservation_event for each row execute function copy_reservation_event()',
    )
    this.addSql(`
      insert into event (organization_id, id, at, kind, actor_kind, membership_id, subject_kind, subject_id,
          before, after, reason)
      select organization_id, gen_random_uuid(), created_at,
             case action when 'moved' then 'reservation.changed' else 'reservation.' || action end,
             case when membership_id is null then 'system' else 'person' end,
             membership_id, 'reservation', reservation_id, before, after, reason
        from reservation_event order by id`)
  }
}
