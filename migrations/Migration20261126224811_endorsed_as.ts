import { Migration } from '@mikro-orm/migrations'

/**
 * An aircraft has names for its make and model in endorsements. Its short names depend on the other aircraft of the school, so
 * that a change of what names an aircraft, or of what sort it is, concerns all bookings ahead.
 */
export class Migration20261126224811_endorsed_as extends Migration {
  override up(): void {
    this.addSql(`alter table resource add column endorsed_as jsonb not null default '[]'`)
    this.addSql(
      marksOf('insert', 'after', [named('after'), `case when after.kind = 'plane' then jsonb_build_object() end`]),
    )
    this.addSql(
      marksOf('update', changed, [
        `case when one.changed then ${named('before')} end`,
        `case when one.changed then ${named('after')} end`,
        `case when row(before.make, before.model, before.endorsed_as, before.traits)
          is distinct from row(after.make, after.model, after.endorsed_as, after.traits) then jsonb_build_object() end`,
      ]),
    )
    this.addSql(marksOf('delete', 'before', [`case when before.kind = 'plane' then jsonb_build_object() end`]))
    this.addSql(`create trigger booking_fact_delete after delete on resource referencing old table as before
      for each statement execute function booking_fact_resource_delete()`)
  }
}

const named = (row: string) => `jsonb_build_object('resourceId', ${row}.id)`

/** The columns of an aircraft that no rule reads. */
const unread = `'{created_at,updated_at,transaction_id,fuel_engine1,fuel_engine2,fuel_updated_at,dry_rate_cents,wet_rate_cents,
  overnight_minimum_tenths,serial_number,year}'::text[]`

/** The rows of an update, each with whether it changed. */
const changed = `before full join after using (id)
          cross join lateral (select to_jsonb(before) - ${unread} <> to_jsonb(after) - ${unread} as changed offset 0) one`

/** Returns the statement that makes the function of a trigger: it marks each of `abouts` once. */
function marksOf(event: 'insert' | 'update' | 'delete', from: string, abouts: readonly string[]): string {
  const organization = {
    insert: 'after.organization_id',
    update: 'coalesce(before.organization_id, after.organization_id)',
    delete: 'before.organization_id',
  }[event]
  return `
      create or replace function booking_fact_resource_${event}() returns trigger language plpgsql as $function$
      begin
        insert into job_mark (organization_id, job, about)
        select distinct o.id, 'reservations.judge-at-risk', mark.about
        from ${from}
        cross join lateral (values ${abouts.map((about) => `(${about})`).join(', ')}) mark (about)
        join organization o on o.id = ${organization}
        where mark.about is not null;
        return null;
      end $function$`
}
