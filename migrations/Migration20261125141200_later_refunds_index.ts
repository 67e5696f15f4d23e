import { Migration } from '@mikro-orm/migrations'

/** The refunds that somebody asked for after the credit note was made. */
export class Migration20261125141200_later_refunds_index extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`create index concurrently if not exists credit_note_refund_by on credit_note (organization_id, refund_by)
      where refund_by is not null`)
  }
}
