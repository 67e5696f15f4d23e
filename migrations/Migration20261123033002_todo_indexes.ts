import { Migration } from '@mikro-orm/migrations'

/** What somebody has to do: records to sign, flights to invoice, squawks that are open, and students in training. */
export class Migration20261123033002_todo_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists training_record_to_sign
        on training_record (organization_id, instructor_id) where signed_at is null and amended_at is null`)
    this.addSql(`
      create index concurrently if not exists training_record_to_countersign
        on training_record (organization_id, enrollment_id)
        where signed_at is not null and countersigned_at is null and amended_at is null`)
    this.addSql(`
      create index concurrently if not exists reservation_to_invoice
        on reservation (organization_id, signed_off_at) where live and not billed and signed_off_at is not null`)
    this.addSql(`
      create index concurrently if not exists squawk_open on squawk (organization_id, created_at) where status = 'open'`)
    this.addSql(`
      create index concurrently if not exists enrollment_in_training
        on enrollment (organization_id, instructor_id) where status = 'enrolled'`)
  }
}
