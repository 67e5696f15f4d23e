import { Migration } from '@mikro-orm/migrations'

/** One standing invoice for a payer of a flight, and one for the fee of an enrollment. */
export class Migration20261123170501_invoice_stands_indexes extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    const stands = 'invoice_stands(status, total_cents, credited_cents)'
    for (const [name, columns, where] of [
      [
        'invoice_standing',
        'organization_id, reservation_id, coalesce(membership_id, 0), coalesce(guest_id, 0)',
        'reservation_id is not null',
      ],
      ['invoice_enrollment_fee', 'organization_id, enrollment_id', 'enrollment_id is not null'],
    ]) {
      // What is left of an attempt that was interrupted is not valid.
      this.addSql(`drop index concurrently if exists ${name}_new`)
      this.addSql(
        `create unique index concurrently if not exists ${name}_new on invoice (${columns}) where ${where} and ${stands}`,
      )
      this.addSql(`drop index concurrently if exists ${name}`)
      this.addSql(`alter index if exists ${name}_new rename to ${name}`)
    }
  }
}
