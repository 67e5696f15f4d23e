import { Migration } from '@mikro-orm/migrations'

/** The planned test of a student, at which windows of recency are judged, and windows of days (14 CFR 141 Appendix B). */
export class Migration20261122200544_training_windows extends Migration {
  override up(): void {
    this.addSql(`
      alter table enrollment add column planned_test_at timestamptz(3), add column planned_application_at timestamptz(3)`)
    this.addSql(`
      alter table syllabus_requirement add column recency_days integer,
        add constraint syllabus_requirement_one_window check (recency_calendar_months is null or recency_days is null)
          not valid`)
    this.addSql('alter table syllabus_requirement validate constraint syllabus_requirement_one_window')
  }
}
