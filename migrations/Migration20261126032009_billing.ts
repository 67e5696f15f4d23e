import { Migration } from '@mikro-orm/migrations'
import { tenantRecord } from './tenant-record.ts'

/** Money: invoices, payments, credit notes, ledgers, packages, pay runs. */
export class Migration20261126032009_billing extends Migration {
  override up(): void {
    this.addSql(`
      create table invoice (${tenantRecord}
        number integer,
        status text not null default 'pending' check (status in ('pending', 'open', 'paid', 'void', 'failed')),
        settlement text not null default 'processor' check (settlement in ('processor', 'ledger', 'offline')),
        reservation_id integer,
        enrollment_id integer,
        membership_id integer,
        guest_id integer,
        memo text,
        total_cents integer not null check (total_cents >= 0),
        amount_paid_cents integer not null default 0 check (amount_paid_cents >= 0),
        currency text not null check (currency ~ '^[a-z]{3}$'),
        due_at timestamptz(3),
        paid_at timestamptz(3),
        payment_method text check (payment_method in ('cash', 'check', 'card', 'ledger', 'package', 'other')),
        voided_at timestamptz(3),
        void_reason text,
        refunded_at timestamptz(3),
        refunded_cents integer not null default 0 check (refunded_cents >= 0),
        pay_url text,
        pdf_url text,
        gateway_account text,
        gateway_invoice_id text,
        gateway_error text,
        revision integer not null default 0,
        checked_at timestamptz(3),
        reminded_at timestamptz(3),
        reminder_stage smallint not null default 0,
        search text not null default '',
        gateway_keys text[] not null default array[('inv_' || gen_random_uuid())],
        refund_key text not null default 'ref_' || gen_random_uuid(),
        refund_waiting_at timestamptz(3),
        credited_cents integer not null default 0,
        gateway_paid_cents integer not null default 0,
        gateway_refunded_cents integer not null default 0,
        outside_refunded_cents integer not null default 0,
        dispute_status text,
        dispute_cents integer,
        tax_cents integer not null default 0,
        taxes jsonb not null default '[]',
        disputed_at timestamptz(3),
        dispute_due_at timestamptz(3),
        reminders smallint not null default 0 check (reminders >= 0),
        constraint invoice_credited check (credited_cents >= 0 and credited_cents <= total_cents),
        constraint invoice_refunded_by_way check (status = 'void' or gateway_refunded_cents >= 0 and
          gateway_refunded_cents <= gateway_paid_cents and refunded_cents - gateway_refunded_cents >= 0 and
          refunded_cents - gateway_refunded_cents <= amount_paid_cents - gateway_paid_cents),
        constraint invoice_refunded check (status = 'void' or refunded_cents <= amount_paid_cents),
        constraint invoice_gateway_keys check (cardinality(gateway_keys) = revision + 1),
        check (num_nonnulls(membership_id, guest_id) = 1),
        check ((status = 'paid') = (paid_at is not null)),
        check ((status = 'void') = (voided_at is not null)),
        unique (organization_id, number),
        unique (organization_id, id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, guest_id) references guest (organization_id, id)
      )`)
    this.addSql('create index invoice_member on invoice (organization_id, membership_id, created_at desc)')
    this.addSql('create index invoice_guest on invoice (organization_id, guest_id) where guest_id is not null')
    this.addSql(`
      create index invoice_flight on invoice (organization_id, reservation_id) where reservation_id is not null`)
    this.addSql(`
      create index invoice_enrollment on invoice (organization_id, enrollment_id) where enrollment_id is not null`)
    this.addSql(`
      create unique index invoice_gateway on invoice (gateway_invoice_id) where gateway_invoice_id is not null`)
    this.addSql("create index invoice_unpaid on invoice (organization_id, due_at) where status in ('pending', 'open')")
    this.addSql("create index invoice_to_remind on invoice (due_at) where status = 'open' and reminder_stage < 14")
    this.addSql(`
      create index invoice_to_check on invoice (coalesce(checked_at, created_at))
        where settlement = 'processor' and status in ('pending', 'open')`)
    this.addSql('create index invoice_search on invoice using gin (organization_id, search gin_trgm_ops)')
    this.addSql('create index invoice_paid on invoice (organization_id, paid_at) where paid_at is not null')
    this.addSql('create index invoice_refunded on invoice (organization_id, refunded_at) where refunded_at is not null')
    this.addSql(`
      create index invoice_unpaid_payer on invoice (organization_id, membership_id, guest_id)
        where status in ('pending', 'open')`)
    this.addSql(`
      create index invoice_refund_waiting on invoice (organization_id, refund_waiting_at)
        where refund_waiting_at is not null`)
    this.addSql(`
      create index invoice_newest on invoice (organization_id, created_at desc, id desc)
        include (status, total_cents, credited_cents, amount_paid_cents, refunded_cents, due_at)`)
    this.addSql(`
      create unique index invoice_standing on invoice (organization_id, reservation_id, coalesce(membership_id, 0),
        coalesce(guest_id, 0))
        where reservation_id is not null and invoice_stands(status, total_cents, credited_cents)`)
    this.addSql(`
      create unique index invoice_enrollment_fee on invoice (organization_id, enrollment_id)
        where enrollment_id is not null and invoice_stands(status, total_cents, credited_cents)`)
    this.addSql("create index invoice_disputed on invoice (organization_id, disputed_at) where dispute_status = 'open'")
    this.addSql(`
      create index invoice_not_paid on invoice (organization_id, created_at desc, id desc) where status <> 'paid'`)
    this.addSql(`
      create index invoice_void on invoice (organization_id, created_at desc, id desc) where status = 'void'`)
    this.addSql(`
      create trigger note_billed after insert on invoice
        for each row when (new.reservation_id is not null)
        execute function note_billed()`)
    this.addSql(`
      create trigger note_memo before insert or update of memo on invoice for each row execute function note_memo()`)
    this.addSql(`
      create trigger return_packages after update of status, total_cents, credited_cents on invoice
        for each row when (invoice_stands(old.status, old.total_cents, old.credited_cents) and not invoice_stands(new.status, new.total_cents, new.credited_cents))
        execute function return_packages()`)
    this.addSql(`
      create trigger note_billed_again after update of status, total_cents, credited_cents on invoice
        for each row when (new.reservation_id is not null and invoice_stands(old.status, old.total_cents, old.credited_cents) <> invoice_stands(new.status, new.total_cents, new.credited_cents))
        execute function note_billed()`)
    this.addSql(`
      create table invoice_item (${tenantRecord}
        invoice_id integer not null,
        position smallint not null,
        kind text not null,
        description text not null,
        quantity_hundredths integer not null check (quantity_hundredths >= 0),
        unit text not null,
        unit_price integer not null,
        amount_cents integer not null,
        tax_cents integer not null default 0,
        foreign key (organization_id, invoice_id) references invoice (organization_id, id) on delete cascade
      )`)
    this.addSql('create index invoice_item_of on invoice_item (organization_id, invoice_id, "position")')
    this.addSql(`
      create trigger note_items_update after update on invoice_item referencing new table as changed for each
        statement execute function note_items()`)
    this.addSql(`
      create trigger note_items_insert after insert on invoice_item referencing new table as changed for each
        statement execute function note_items()`)
    this.addSql(`
      create trigger note_items_delete after delete on invoice_item referencing old table as changed for each
        statement execute function note_items()`)
    this.addSql(`
      create table gateway_customer (${tenantRecord}
        membership_id integer,
        guest_id integer,
        gateway_account text,
        customer_id text not null,
        check (num_nonnulls(membership_id, guest_id) = 1),
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade,
        foreign key (organization_id, guest_id) references guest (organization_id, id) on delete cascade
      )`)
    this.addSql(`
      create unique index gateway_customer_payer on gateway_customer (organization_id, coalesce(membership_id, 0),
        coalesce(guest_id, 0), coalesce(gateway_account, ''))`)
    this.addSql(`
      create index gateway_customer_member on gateway_customer (organization_id, membership_id)
        where membership_id is not null`)
    this.addSql(`
      create index gateway_customer_guest on gateway_customer (organization_id, guest_id)
        where guest_id is not null`)
    this.addSql(`
      create table gateway_event (
        id integer generated by default as identity primary key,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        event_id text not null unique,
        type text not null,
        occurred_at timestamptz(3) not null,
        looked_up boolean not null default false
      )`)
    this.addSql('create index gateway_event_age on gateway_event (created_at)')
    this.addSql(`
      create table ledger_entry (${tenantRecord}
        membership_id integer not null,
        kind text not null check (kind in ('deposit', 'flight_charge', 'prepaid_charge', 'invoice_charge',
          'adjustment', 'credit', 'reversal')),
        amount_cents integer not null,
        balance_cents integer not null,
        reservation_id integer,
        invoice_id integer,
        reverses_id integer unique,
        memo text,
        created_by integer,
        unique (organization_id, id),
        foreign key (organization_id, created_by) references membership (organization_id, id),
        foreign key (organization_id, invoice_id) references invoice (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id),
        foreign key (organization_id, reverses_id) references ledger_entry (organization_id, id)
      )`)
    this.addSql('create index ledger_entry_member on ledger_entry (organization_id, membership_id, id desc)')
    this.addSql(`
      create index ledger_entry_invoice on ledger_entry (organization_id, invoice_id) where invoice_id is not null`)
    this.addSql(`
      create index ledger_entry_author on ledger_entry (organization_id, created_by) where created_by is not null`)
    this.addSql(`
      create index ledger_entry_flight on ledger_entry (organization_id, reservation_id)
        where reservation_id is not null`)
    this.addSql(`
      create trigger note_billed after insert on ledger_entry
        for each row when (new.reservation_id is not null and new.kind in ('flight_charge', 'reversal'))
        execute function note_billed()`)
    this.addSql(`
      create trigger append_only before delete or update on ledger_entry for each row execute function
        refuse_ledger_change()`)
    this.addSql(`
      create table credit_note (${tenantRecord}
        invoice_id integer not null,
        number integer not null,
        items jsonb not null,
        amount_cents integer not null check (amount_cents > 0),
        reason text not null,
        refund text not null check (refund in ('processor', 'ledger', 'offline', 'none')),
        refund_status text not null check (refund_status in ('none', 'waiting', 'pending', 'succeeded', 'failed')),
        refund_cents integer not null,
        refunded_cents integer not null default 0,
        refund_key text not null default 'ref_' || gen_random_uuid(),
        created_by integer,
        refunded_at timestamptz(3),
        tax_cents integer not null default 0,
        refund_by integer,
        refund_asked_at timestamptz(3),
        refund_approved_at timestamptz(3),
        check (refund_cents >= 0 and refund_cents <= amount_cents),
        check (refunded_cents >= 0 and refunded_cents <= refund_cents),
        unique (organization_id, number),
        unique (organization_id, id),
        foreign key (organization_id, created_by) references membership (organization_id, id),
        constraint credit_note_refund_by_fkey foreign key (organization_id, refund_by) references membership
          (organization_id, id),
        foreign key (organization_id, invoice_id) references invoice (organization_id, id)
      )`)
    this.addSql('create index credit_note_invoice on credit_note (organization_id, invoice_id, id)')
    this.addSql(`
      create unique index credit_note_waiting on credit_note (organization_id, invoice_id)
        where refund_status = 'waiting'`)
    this.addSql(`
      create index credit_note_author on credit_note (organization_id, created_by) where created_by is not null`)
    this.addSql(`
      create index credit_note_refunded on credit_note (organization_id, refunded_at) where refunded_at is not null`)
    this.addSql(`
      create index credit_note_refund_by on credit_note (organization_id, refund_by) where refund_by is not null`)
    this.addSql(`
      create table payment (${tenantRecord}
        invoice_id integer not null,
        way text not null check (way in ('processor', 'offline')),
        method text not null check (method in ('cash', 'check', 'card', 'other')),
        amount_cents integer not null check (amount_cents > 0),
        reversed_cents integer not null default 0,
        received_at timestamptz(3) not null,
        reference text,
        gateway_invoice_id text,
        gateway_payment text,
        overpaid_cents integer not null default 0,
        overpaid_returned_at timestamptz(3),
        refund_key text not null default 'ref_' || gen_random_uuid(),
        recorded_by integer,
        reversed_at timestamptz(3),
        reversed_by integer,
        reversal_reason text,
        refunded_cents integer not null default 0,
        constraint payment_refunded check (refunded_cents >= 0 and refunded_cents <= amount_cents - reversed_cents),
        check (reversed_cents >= 0 and reversed_cents <= amount_cents),
        check (overpaid_cents >= 0 and overpaid_cents <= amount_cents),
        check ((reversed_cents > 0) = (reversed_at is not null)),
        unique (organization_id, id),
        foreign key (organization_id, reversed_by) references membership (organization_id, id),
        foreign key (organization_id, recorded_by) references membership (organization_id, id),
        foreign key (organization_id, invoice_id) references invoice (organization_id, id)
      )`)
    this.addSql('create index payment_invoice on payment (organization_id, invoice_id, id)')
    this.addSql('create index payment_received on payment (organization_id, received_at)')
    this.addSql('create index payment_recorder on payment (organization_id, recorded_by) where recorded_by is not null')
    this.addSql('create index payment_reverser on payment (organization_id, reversed_by) where reversed_by is not null')
    this.addSql(`
      create unique index payment_at_gateway on payment (gateway_invoice_id, gateway_payment) nulls not distinct
        where gateway_invoice_id is not null`)
    this.addSql('create index payment_reversed on payment (organization_id, reversed_at) where reversed_at is not null')
    this.addSql(`
      create index payment_overpaid_returned on payment (organization_id, overpaid_returned_at)
        where overpaid_returned_at is not null`)
    this.addSql(`
      create table pay_run (${tenantRecord}
        start_date text not null check (start_date ~ '^\\d{4}-\\d{2}-\\d{2}$'),
        end_date text not null check (end_date ~ '^\\d{4}-\\d{2}-\\d{2}$'),
        currency text not null,
        flights integer not null check (flights >= 0),
        amount_cents bigint not null,
        own boolean not null,
        created_by integer not null,
        check (start_date <= end_date),
        unique (organization_id, id),
        foreign key (organization_id, created_by) references membership (organization_id, id)
      )`)
    this.addSql('create index pay_run_maker on pay_run (organization_id, created_by)')
    this.addSql(`
      create trigger append_only before delete or update on pay_run for each row execute function refuse_change()`)
    this.addSql(`
      create table pay_line (${tenantRecord}
        pay_run_id integer not null,
        reservation_id integer not null,
        membership_id integer not null,
        adjustment boolean not null,
        flight_tenths integer not null,
        ground_tenths integer not null,
        sim_tenths integer not null,
        flight_pay_cents integer check (flight_pay_cents > 0),
        ground_pay_cents integer check (ground_pay_cents > 0),
        sim_pay_cents integer check (sim_pay_cents > 0),
        amount_cents bigint not null,
        long_briefing boolean not null,
        on_behalf boolean not null,
        signed_off_at timestamptz(3) not null,
        check (adjustment or least(flight_tenths::bigint, ground_tenths::bigint, sim_tenths::bigint, amount_cents) >=
          0),
        unique (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, pay_run_id) references pay_run (organization_id, id),
        foreign key (organization_id, reservation_id) references reservation (organization_id, id)
      )`)
    this.addSql('create unique index pay_line_place on pay_line (organization_id, reservation_id) where not adjustment')
    this.addSql('create index pay_line_flight on pay_line (organization_id, reservation_id, id)')
    this.addSql('create index pay_line_run on pay_line (organization_id, pay_run_id, membership_id)')
    this.addSql('create index pay_line_member on pay_line (organization_id, membership_id)')
    this.addSql('create index pay_line_long_briefing on pay_line (organization_id, pay_run_id, id) where long_briefing')
    this.addSql('create index pay_line_on_behalf on pay_line (organization_id, pay_run_id, id) where on_behalf')
    this.addSql(`
      create table package (${tenantRecord}
        name text not null,
        price_cents integer not null check (price_cents >= 50),
        resource_ids jsonb not null default '[]',
        line_kinds jsonb not null default '[]',
        expires_after_days integer check (expires_after_days > 0),
        unit text not null check (unit in ('cents', 'deci_hours')),
        grant_quantity integer not null check (grant_quantity > 0),
        active boolean not null default true,
        unique (organization_id, id)
      )`)
    this.addSql(`
      create table package_purchase (${tenantRecord}
        name text not null,
        price_cents integer not null check (price_cents >= 50),
        resource_ids jsonb not null default '[]',
        line_kinds jsonb not null default '[]',
        expires_after_days integer check (expires_after_days > 0),
        unit text not null check (unit in ('cents', 'deci_hours')),
        package_id integer not null,
        membership_id integer not null,
        invoice_id integer not null,
        granted integer not null check (granted > 0),
        withdrawn integer not null default 0,
        used integer not null default 0,
        remaining integer not null,
        shortfall_cents integer not null default 0 check (shortfall_cents >= 0),
        bought_by integer,
        check (withdrawn >= 0 and withdrawn <= granted),
        check (used >= 0 and used <= granted),
        check (remaining >= 0 and remaining <= granted),
        unique (organization_id, id),
        unique (organization_id, invoice_id),
        foreign key (organization_id, bought_by) references membership (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, package_id) references package (organization_id, id),
        foreign key (organization_id, invoice_id) references invoice (organization_id, id)
      )`)
    this.addSql('create index package_purchase_package on package_purchase (organization_id, package_id)')
    this.addSql('create index package_purchase_member on package_purchase (organization_id, membership_id, id)')
    this.addSql(`
      create index package_purchase_buyer on package_purchase (organization_id, bought_by) where bought_by is not null`)
    this.addSql(`
      create table package_use (${tenantRecord}
        purchase_id integer not null,
        invoice_id integer not null,
        quantity integer not null check (quantity > 0),
        covered_cents integer not null check (covered_cents > 0),
        returned_at timestamptz(3),
        unique (organization_id, invoice_id, purchase_id),
        foreign key (organization_id, purchase_id) references package_purchase (organization_id, id),
        foreign key (organization_id, invoice_id) references invoice (organization_id, id)
      )`)
    this.addSql('create index package_use_purchase on package_use (organization_id, purchase_id)')
    this.addSql(`
      create trigger count_package_return after update of returned_at on package_use
        for each row when (old.returned_at is null and new.returned_at is not null)
        execute function count_package_use()`)
    this.addSql(`
      create trigger count_package_use after insert on package_use for each row execute function count_package_use()`)
    this.addSql(`
      create table autopay_charge (${tenantRecord}
        invoice_id integer not null,
        membership_id integer not null,
        state text not null default 'planned'
          check (state in ('planned', 'charging', 'paid', 'declined', 'asked', 'stopped')),
        not_before timestamptz(3),
        attempts integer not null default 0 check (attempts >= 0),
        amount_cents integer check (amount_cents > 0),
        counted_on date,
        first_declined_at timestamptz(3),
        check ((amount_cents is null) = (counted_on is null)),
        unique (organization_id, invoice_id),
        unique (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id),
        foreign key (organization_id, invoice_id) references invoice (organization_id, id)
      )`)
    this.addSql('create index autopay_charge_member on autopay_charge (organization_id, membership_id, counted_on)')
    this.addSql(`
      create table gateway_event_sweep (
        id integer generated by default as identity primary key,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        organization_id integer references organization (id) on delete cascade,
        account text,
        asked_at timestamptz(3),
        read_until timestamptz(3),
        check ((organization_id is null) = (account is null)),
        unique nulls not distinct (organization_id, account)
      )`)
    this.addSql(`
      create function invoice_words(organization integer, invoice integer, memo text) returns text language sql STABLE
        return lower(concat_ws(E'\\n', memo, (select string_agg(t.description, E'\\n' ORDER BY t."position") AS
        string_agg from invoice_item t where ((t.organization_id = invoice_words.organization) and (t.invoice_id =
        invoice_words.invoice)))))`)
  }
}
