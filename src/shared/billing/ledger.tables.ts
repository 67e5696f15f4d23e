import { p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { log } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents } from '../platform/kernel/units.ts'

export const ledgerKinds = [
  'deposit',
  'flight_charge',
  'prepaid_charge',
  'invoice_charge',
  'adjustment',
  'credit',
  'reversal',
] as const

/** An entry of a member's account with the school, in signed cents. */
export const LedgerEntry = log('ledger_entry', {
  exported: true,
  rights: 'append only',
  columns: {
    ...tenantRecord,
    membershipId: member.money('ledger_entries', 'ledger'),
    kind: p.enum(ledgerKinds),
    amountCents: p.integer().$type<Cents>(),
    balanceCents: p.integer().$type<Cents>(),
    reservationId: p.integer().nullable(),
    invoiceId: p.integer().nullable(),
    reversesId: p.integer().nullable(),
    memo: p.text().nullable(),
    createdBy: member.act('ledger_entries', 'money').nullable(),
  },
})

/** The numbered receipt of a payment or deposit by hand, in cents. The numbers of an organization have no gaps. */
export const Receipt = log('receipt', {
  exported: true,
  rights: 'append only',
  columns: {
    ...tenantRecord,
    number: p.integer(),
    /** Exactly one of the two is set: the payment of an invoice, or the deposit. */
    paymentId: p.integer().nullable(),
    ledgerEntryId: p.integer().nullable(),
    amountCents: p.integer().$type<Cents>(),
    recordedBy: member.act('invoices', 'money'),
    recordedAt: instant(),
  },
})
