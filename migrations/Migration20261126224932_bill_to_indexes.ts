import { Migration } from '@mikro-orm/migrations'

/**
 * The indexes of bill-to payers. An invoice of a flight stands once for each person whose share it is, so that a payer may have one for
 * each of several members.
 */
export class Migration20261126224932_bill_to_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create index concurrently if not exists membership_bill_to on membership (organization_id, bill_to_id)
        where bill_to_id is not null`)
    this.addSql(`
      create index concurrently if not exists invoice_billed_for on invoice (organization_id, billed_for_id, created_at)
        where billed_for_id is not null`)
    this.addSql(`
      create unique index concurrently if not exists invoice_standing_share on invoice (organization_id, reservation_id,
          coalesce(billed_for_id, membership_id, 0), coalesce(guest_id, 0))
        where reservation_id is not null and invoice_stands(status, total_cents, credited_cents)`)
    this.addSql('drop index concurrently if exists invoice_standing')
  }
}
