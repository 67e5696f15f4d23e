import { Migration } from '@mikro-orm/migrations'

/** Documents, enrollments, tests and endorsements of an organization by the filters of their lists, in the lists' order. */
export class Migration20261125124231_record_filter_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    for (const [name, on] of [
      ['document_category', 'document (organization_id, category, id desc)'],
      ['document_status', 'document (organization_id, status, id desc)'],
      ['enrollment_status', 'enrollment (organization_id, status, created_at desc, id desc)'],
      ['training_test_kind', 'training_test (organization_id, kind, taken_at desc, id desc)'],
      ['endorsement_code', 'endorsement (organization_id, template_code, created_at desc, id desc)'],
      ['endorsement_signed_at', 'endorsement (organization_id, signed_at)'],
      ['endorsement_expiring', 'endorsement (organization_id, expires_at) where expires_at is not null'],
    ]) {
      this.addSql(`create index concurrently if not exists ${name} on ${on}`)
    }
  }
}
