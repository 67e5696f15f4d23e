import { Migration } from '@mikro-orm/migrations'

/**
 * What of each payment past the payment processor was given back, by hand or to the account: never more than it brought and
 * was not taken back. Refunds so far are spread as later ones are: the latest payment first.
 */
export class Migration20261125110000_offline_refunds extends Migration {
  override up(): void {
    this.addSql('alter table payment add column refunded_cents integer not null default 0')
    this.addSql(`
      alter table payment add constraint payment_refunded
        check (refunded_cents between 0 and amount_cents - reversed_cents) not valid`)
    this.addSql(`
      update payment p set refunded_cents = s.cents
        from (select p.organization_id, p.id, least(p.amount_cents - p.reversed_cents,
                i.refunded_cents - i.processor_refunded_cents - coalesce(sum(p.amount_cents - p.reversed_cents) over later, 0)) as cents
              from payment p join invoice i on i.organization_id = p.organization_id and i.id = p.invoice_id
              where p.way = 'offline' and i.refunded_cents > i.processor_refunded_cents
              window later as (partition by p.organization_id, p.invoice_id order by p.id
                rows between 1 following and unbounded following)) s
       where p.organization_id = s.organization_id and p.id = s.id and s.cents > 0`)
  }
}
