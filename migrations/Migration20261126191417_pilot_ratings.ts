import { Migration } from '@mikro-orm/migrations'

/** The rule `pilot_rating` reads planned lessons and what a course leads to: their changes write marks. */
export class Migration20261126191417_pilot_ratings extends Migration {
  override up(): void {
    this.addSql(
      marksOf('training_course', 'update', changed, [
        `case when row(before.regulatory_part, before.certificate_sought) is distinct from row(after.regulatory_part,
          after.certificate_sought) then jsonb_build_object() end`,
      ]),
    )
    const named = (row: string) => `jsonb_build_object('reservationId', ${row}.reservation_id)`
    const isChanged = (row: string) =>
      `case when one.changed and ${row}.reservation_id is not null then ${named(row)} end`
    for (const [event, from, rows, abouts] of [
      ['insert', 'after', 'new table as after', [named('after')]],
      ['update', changed, 'old table as before new table as after', [isChanged('before'), isChanged('after')]],
      ['delete', 'before', 'old table as before', [named('before')]],
    ] as const) {
      this.addSql(marksOf('planned_lesson', event, from, abouts))
      this.addSql(`create trigger booking_fact_${event} after ${event} on planned_lesson referencing ${rows}
        for each statement execute function booking_fact_planned_lesson_${event}()`)
    }
  }
}

/** The rows of an update, each with whether it changed. */
const changed = `before full join after using (id)
          cross join lateral (select to_jsonb(before) - '{created_at,updated_at,transaction_id}'::text[]
            <> to_jsonb(after) - '{created_at,updated_at,transaction_id}'::text[] as changed offset 0) one`

/** Returns the statement that makes the function of a trigger: it marks each of `abouts` once. */
function marksOf(
  table: string,
  event: 'insert' | 'update' | 'delete',
  from: string,
  abouts: readonly string[],
): string {
  const owner = { insert: 'after', update: 'before', delete: 'before' }[event]
  const organization =
    event === 'update' ? 'coalesce(before.organization_id, after.organization_id)' : `${owner}.organization_id`
  return `
      create or replace function booking_fact_${table}_${event}() returns trigger language plpgsql as $function$
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
