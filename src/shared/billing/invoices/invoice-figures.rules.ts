import { type Cents, minus, plus, ZERO } from '../../platform/kernel/units.ts'

/**
 * The money of one invoice in cents. `refundedCents` counts refunds that are under way, so that nothing is given back
 * twice.
 */
export interface InvoiceFigures {
  totalCents: Cents
  creditedCents: Cents
  amountPaidCents: Cents
  refundedCents: Cents
}

/**
 * Returns what the payer owes on an invoice in cents: invoiced − credited − paid + refunded. Negative: the school owes
 * the payer. Implements interface §Invoices.
 */
export function balanceOf({ totalCents, creditedCents, amountPaidCents, refundedCents }: InvoiceFigures): Cents {
  return plus(minus(minus(totalCents, creditedCents), amountPaidCents), refundedCents)
}

/** Returns what the school owes the payer on an invoice in cents, at least 0. */
export function owedBackOf(figures: InvoiceFigures): Cents {
  const balance = balanceOf(figures)
  return balance < 0 ? minus(ZERO, balance) : ZERO
}
