import { Migration } from '@mikro-orm/migrations'

/**
 * What few of an organization's invoices, payments, credit notes and lines of pay runs have, and a filter or a report asks
 * for. Each index holds these rows alone, so the others pay nothing for it when they are written.
 */
export class Migration20261125124101_money_filter_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    for (const [name, on] of [
      ['invoice_not_paid', "invoice (organization_id, created_at desc, id desc) where status <> 'paid'"],
      ['invoice_void', "invoice (organization_id, created_at desc, id desc) where status = 'void'"],
      [
        'payment_overpaid_returned',
        'payment (organization_id, overpaid_returned_at) where overpaid_returned_at is not null',
      ],
      ['credit_note_refunded', 'credit_note (organization_id, refunded_at) where refunded_at is not null'],
      ['pay_line_long_briefing', 'pay_line (organization_id, pay_run_id, id) where long_briefing'],
      ['pay_line_on_behalf', 'pay_line (organization_id, pay_run_id, id) where on_behalf'],
    ]) {
      this.addSql(`create index concurrently if not exists ${name} on ${on}`)
    }
  }
}
