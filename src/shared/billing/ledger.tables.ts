import { p } from '@mikro-orm/core'
import { tenantRecord } from '../platform/db/columns.ts'
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
