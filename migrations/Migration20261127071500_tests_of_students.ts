import { Migration } from '@mikro-orm/migrations'

/**
 * A practical test has the causes for which it was not passed; a result that is changed later keeps the first one and a reason. An enrollment
 * keeps the last notice before its planned test.
 */
export class Migration20261127071500_tests_of_students extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      alter table training_test add column if not exists causes jsonb not null default '[]',
        add column if not exists first_result text check (first_result in ('passed', 'failed', 'discontinued')),
        add column if not exists result_reason text`)
    this.addSql('alter table enrollment add column if not exists test_notified_days smallint')
    this.addSql(`
      create index concurrently if not exists enrollment_planned_test on enrollment (planned_test_at)
        where status = 'enrolled' and planned_test_at is not null`)
  }
}
