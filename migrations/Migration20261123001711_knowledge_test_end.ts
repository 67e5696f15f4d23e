import { Migration } from '@mikro-orm/migrations'

/** Passed knowledge tests end with a calendar month (14 CFR 61.39(a)(1)); the last notice of that is kept. */
export class Migration20261123001711_knowledge_test_end extends Migration {
  override up(): void {
    this.addSql('alter table training_test add column expires_at timestamptz(3), add column expiry_told_days smallint')
    this.addSql(`
      update training_test t set expires_at = ((date_trunc('month', t.taken_at at time zone o.time_zone_name)
          + case when exists (select from enrollment e
              join training_course c on c.organization_id = e.organization_id and c.id = e.course_id
              where e.organization_id = t.organization_id and e.id = t.enrollment_id and c.certificate_sought = 'atp')
            then interval '61 months' else interval '25 months' end) at time zone o.time_zone_name) - interval '1 millisecond'
      from organization o
      where o.id = t.organization_id and t.kind = 'knowledge' and t.result = 'passed'`)
  }
}
