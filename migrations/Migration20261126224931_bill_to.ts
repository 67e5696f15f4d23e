import { Migration } from '@mikro-orm/migrations'

/** The payers to whom the invoices of other members go, with the payer's consent, and for whom an invoice is raised. */
export class Migration20261126224931_bill_to extends Migration {
  override up(): void {
    this.addSql(`
      alter table membership add column bill_to_id integer,
        add column bill_to_accepted_at timestamptz(3),
        add column bill_to_ledger boolean not null default false,
        add column bill_to_autopay boolean not null default false,
        add column bill_to_max_cents integer,
        add constraint membership_bill_to_other check (bill_to_id <> id) not valid,
        add constraint membership_bill_to_consent check (bill_to_id is not null
          or (bill_to_accepted_at is null and not bill_to_ledger and not bill_to_autopay and bill_to_max_cents is null)) not valid,
        add constraint membership_organization_id_bill_to_id_fkey foreign key (organization_id, bill_to_id)
          references membership (organization_id, id) not valid`)
    this.addSql(`
      alter table invoice add column billed_for_id integer,
        add constraint invoice_billed_for_other check (billed_for_id <> membership_id) not valid,
        add constraint invoice_organization_id_billed_for_id_fkey foreign key (organization_id, billed_for_id)
          references membership (organization_id, id) not valid`)
  }
}
