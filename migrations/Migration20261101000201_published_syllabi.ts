import { Migration } from '@mikro-orm/migrations'

const parts = ['syllabus_stage', 'syllabus_requirement', 'syllabus_lesson', 'syllabus_task', 'syllabus_credit']

/** A published syllabus cannot change: students are trained and certified on it as it was approved. */
export class Migration20261101000201_published_syllabi extends Migration {
  override up(): void {
    // Looked at once a statement, so that a whole syllabus is copied at the price of one look for each of its tables.
    this.addSql(`
      create function refuse_change_of_published_syllabus() returns trigger language plpgsql as $$
      begin
        if exists (
          select 1 from touched t
          join syllabus_version v on v.organization_id = t.organization_id and v.id = t.version_id
          join organization o on o.id = t.organization_id
          where v.state <> 'draft'
        ) then
          raise exception '% of a published syllabus cannot change', tg_table_name using errcode = 'restrict_violation';
        end if;
        return null;
      end $$`)
    for (const table of parts) {
      for (const [event, rows] of [
        ['insert', 'new'],
        ['delete', 'old'],
        ['update', 'old'],
        ['update', 'new'],
      ]) {
        this.addSql(`
          create trigger ${event}_${rows}_of_published after ${event} on ${table} referencing ${rows} table as touched
            for each statement execute function refuse_change_of_published_syllabus()`)
      }
    }
    this.addSql(`
      create function refuse_change_of_published_version() returns trigger language plpgsql as $$
      begin
        if old.state = 'draft' or not exists (select 1 from organization where id = old.organization_id) then
          return coalesce(new, old);
        end if;
        if tg_op = 'DELETE' or new.state = 'draft'
          or to_jsonb(new) - array['state', 'updated_at'] <> to_jsonb(old) - array['state', 'updated_at'] then
          raise exception 'a published version cannot change' using errcode = 'restrict_violation';
        end if;
        return new;
      end $$`)
    this.addSql(`
      create trigger published before update or delete on syllabus_version
        for each row execute function refuse_change_of_published_version()`)
  }
}
