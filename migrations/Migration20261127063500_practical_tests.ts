import { Migration } from '@mikro-orm/migrations'

/**
 * The plan of a practical test has an aircraft, an examiner and a place; a knowledge test has its code, a maintenance item its kind, and a
 * version the days for which its graduates may take the test. The words in the name of an item say its kind.
 */
export class Migration20261127063500_practical_tests extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      alter table enrollment add column if not exists planned_test_resource_id integer,
        add column if not exists planned_examiner text,
        add column if not exists planned_location text`)
    this.addSql(`
      create index concurrently if not exists enrollment_planned_resource
        on enrollment (organization_id, planned_test_resource_id) where planned_test_resource_id is not null`)
    this.addSql(`
      do $block$
      begin
        if not exists (select from pg_constraint where conname = 'enrollment_planned_resource_fkey') then
          alter table enrollment add constraint enrollment_planned_resource_fkey
            foreign key (organization_id, planned_test_resource_id) references resource (organization_id, id)
            on delete set null (planned_test_resource_id);
        end if;
      end $block$`)
    this.addSql('alter table training_test add column if not exists code text')
    this.addSql(`
      alter table syllabus_version add column if not exists graduation_within_days smallint not null default 60
        check (graduation_within_days > 0)`)
    this.addSql(`
      alter table maintenance_item add column if not exists kind text not null default 'other'
        check (kind in ('annual', 'hundred_hour', 'elt', 'transponder', 'altimeter', 'vor', 'other'))`)
    this.addSql(`
      update maintenance_item set kind = case
          when name ~* '\\m(elt|locator)\\M' then 'elt'
          when name ~* 'transponder' then 'transponder'
          when name ~* 'altimeter' then 'altimeter'
          when name ~* '\\mvor\\M' then 'vor'
          when name ~* '\\m100[- ]?h(r|rs|our|ours)?\\M' then 'hundred_hour'
          when name ~* '\\mannual\\M' then 'annual'
          else 'other' end
        where kind = 'other'`)
  }
}
