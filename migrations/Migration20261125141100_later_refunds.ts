import { Migration } from '@mikro-orm/migrations'

/**
 * The refund of a credit note that was asked for after the note was made: by whom, and when. Null for one that was asked for
 * with the note, and for none.
 */
export class Migration20261125141100_later_refunds extends Migration {
  override up(): void {
    this.addSql('alter table credit_note add column refund_by integer, add column refund_asked_at timestamptz(3)')
    this.addSql(`alter table credit_note add constraint credit_note_refund_by_fkey
      foreign key (organization_id, refund_by) references membership (organization_id, id)`)
  }
}
