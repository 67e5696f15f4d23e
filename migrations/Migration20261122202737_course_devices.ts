import { Migration } from '@mikro-orm/migrations'

/** What time in devices a course lets count, and its appendix of 14 CFR Part 141. */
export class Migration20261122202737_course_devices extends Migration {
  override up(): void {
    this.addSql(`
      alter table syllabus_version add column device_ceilings jsonb not null default '[]',
        add column appendix text check (appendix in ('b', 'c', 'd'))`)
  }
}
