import { Migration } from '@mikro-orm/migrations'

/**
 * What the organization pays an instructor, in cents an hour; null where it pays nothing. No booking rule reads it, nor
 * whether a member is exempt from taxes, so a change of them has no booking judged again.
 */
export class Migration20261124030500_pay_rates extends Migration {
  override up(): void {
    this.addSql(`
      alter table membership
        add column flight_pay_cents integer check (flight_pay_cents between 1 and 2000000000),
        add column ground_pay_cents integer check (ground_pay_cents between 1 and 2000000000),
        add column sim_pay_cents integer check (sim_pay_cents between 1 and 2000000000)`)
    this.addSql(`
      create or replace trigger booking_fact after insert or update on membership for each row
        execute function booking_fact_changed('{"memberId": "id"}', '{billing_mode,processor_key,search_email,search_name,'
          'flight_rate_cents,ground_rate_cents,sim_rate_cents,flight_pay_cents,ground_pay_cents,sim_pay_cents,tax_exempt}',
          'organization_id')`)
  }
}
