import { Migration } from '@mikro-orm/migrations'

/**
 * A payment that is reversed has nothing given back of it: that is of the other payments of its invoice then, whose sum the
 * invoice holds. The release before reverses a payment without a word of what was given back of it, and met the constraint
 * `payment_refunded`; this one spreads it on the others at their next change. The trigger goes with a later release.
 */
export class Migration20261125142001_reversed_refunds extends Migration {
  override up(): void {
    this.addSql(`
      create function release_refunds() returns trigger language plpgsql as $$
      begin
        new.refunded_cents := least(new.refunded_cents, new.amount_cents - new.reversed_cents);
        return new;
      end $$`)
    this.addSql(`
      create trigger release_refunds before update of reversed_cents on payment for each row
        when (new.reversed_cents > old.reversed_cents and new.refunded_cents = old.refunded_cents and new.refunded_cents > 0)
        execute function release_refunds()`)
  }
}
