import { type Cents, plus } from '../../platform/kernel/units.ts'

export const statementKinds = ['invoice', 'credit', 'payment', 'refund', 'ledger'] as const

/** One movement of what a member owes, in signed cents: positive is owed to the school. */
export interface StatementEntry {
  at: Date
  kind: (typeof statementKinds)[number]
  id: number
  /** Of the invoice or the credit note. */
  number: number | null
  description: string
  amountCents: Cents
}

/** A statement: what was owed before, each movement with the balance after it, and what is owed then. */
export interface Statement {
  openingBalanceCents: Cents
  closingBalanceCents: Cents
  rows: (StatementEntry & { balanceCents: Cents })[]
}

/** Returns the statement of entries in their order: closing = opening + the sum of the amounts. */
export function statementOf(openingBalanceCents: Cents, entries: readonly StatementEntry[]): Statement {
  let balanceCents = openingBalanceCents
  const rows = entries.map((entry) => {
    balanceCents = plus(balanceCents, entry.amountCents)
    return { ...entry, balanceCents }
  })
  return { openingBalanceCents, closingBalanceCents: balanceCents, rows }
}
