import { type Cents, plus } from '../../platform/kernel/units.ts'

export const statementKinds = ['invoice', 'credit', 'payment', 'refund', 'ledger', 'package'] as const

/** One change of a member's balance, in signed cents: a positive amount is owed to the school. */
export interface StatementEntry {
  at: Date
  kind: (typeof statementKinds)[number]
  id: number
  /** The number of the invoice or the credit note; null when it has none, and for entries of the account. */
  number: number | null
  description: string
  amountCents: Cents
  /** What a package covered of the invoice, for the kind `package`; null for the others. */
  packageCents: Cents | null
}

/** A statement: the balance before, each entry with the balance after it, and the balance at the end. */
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
