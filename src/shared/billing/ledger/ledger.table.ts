import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'

export const ledgerKinds = [
  'deposit',
  'flight_charge',
  'prepaid_charge',
  'invoice_charge',
  'adjustment',
  'credit',
  'reversal',
] as const

/**
 * An entry of a member's account with the school, in signed cents. Append-only: the database refuses changes. Kysely
 * writes it; the ORM only declares the columns.
 */
export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entry',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    kind: p.enum(ledgerKinds),
    amountCents: p.integer().$type<Cents>(),
    balanceCents: p.integer().$type<Cents>(),
    reservationId: p.integer().nullable(),
    invoiceId: p.integer().nullable(),
    reversesId: p.integer().nullable(),
    memo: p.text().nullable(),
    createdBy: p.integer().nullable(),
  },
})
