import { Migration } from '@mikro-orm/migrations'

/** The courses of a chief instructor. */
export class Migration20261122205554_chief_instructor_index extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists training_course_chief_instructor
        on training_course (organization_id, chief_instructor_id)`)
  }
}
