import { Migration } from '@mikro-orm/migrations'

/** The windows of reports: flights and lessons by their end, invoices by payment and refund, cancellations. */
export class Migration20261122105757_report_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`create index concurrently if not exists reservation_ended on reservation
      (organization_id, least(ends_at, ramped_in_at))
      where live and (ramped_in_at is not null or briefing_tenths is not null)`)
    this.addSql(`create index concurrently if not exists reservation_cancelled on reservation
      (organization_id, cancelled_at) where cancelled_at is not null`)
    this.addSql(`create index concurrently if not exists invoice_paid on invoice
      (organization_id, paid_at) where paid_at is not null`)
    this.addSql(`create index concurrently if not exists invoice_refunded on invoice
      (organization_id, refunded_at) where refunded_at is not null`)
  }
}
