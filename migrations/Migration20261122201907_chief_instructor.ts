import { Migration } from '@mikro-orm/migrations'

/** Chief instructors of courses, and as what somebody certified a training record: 14 CFR 141.85(a), 141.101(c). */
export class Migration20261122201907_chief_instructor extends Migration {
  override up(): void {
    this.addSql(`
      alter table training_course add column chief_instructor_id integer,
        add foreign key (organization_id, chief_instructor_id) references membership (organization_id, id) not valid`)
    this.addSql(
      'alter table training_course validate constraint training_course_organization_id_chief_instructor_id_fkey',
    )
    this.addSql(`
      alter table enrollment add column certified_as text check (certified_as in ('chief_instructor', 'admin'))`)
    this.addSql(`update enrollment set certified_as = 'admin' where certified_at is not null`)
  }
}
