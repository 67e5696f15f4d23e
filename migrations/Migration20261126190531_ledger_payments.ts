import { Migration } from '@mikro-orm/migrations'

/** Payments of invoices from the members' accounts, and from when an account may pay without its owner's act. */
export class Migration20261126190531_ledger_payments extends Migration {
  override up(): void {
    this.addSql(`
      alter table payment add column ledger_entry_id integer,
        drop constraint payment_method_check,
        add constraint payment_method_check check (method in ('cash', 'check', 'card', 'ledger', 'other')) not valid,
        add constraint payment_from_ledger check ((method = 'ledger') = (ledger_entry_id is not null)) not valid,
        add constraint payment_organization_id_ledger_entry_id_fkey foreign key (organization_id, ledger_entry_id)
          references ledger_entry (organization_id, id) not valid`)
    this.addSql(`
      alter table invoice add column ledger_paid_cents integer not null default 0,
        add column ledger_refunded_cents integer not null default 0,
        add column raised_by integer,
        add column ledger_from timestamptz(3),
        add column auto_ledger boolean not null default false,
        add constraint invoice_refunded_to_ledger check (status = 'void' or (ledger_paid_cents >= 0
          and ledger_refunded_cents >= 0 and refunded_cents - gateway_refunded_cents - ledger_refunded_cents
            <= amount_paid_cents - gateway_paid_cents - ledger_paid_cents)) not valid,
        add constraint invoice_organization_id_raised_by_fkey foreign key (organization_id, raised_by)
          references membership (organization_id, id) not valid`)
  }
}
