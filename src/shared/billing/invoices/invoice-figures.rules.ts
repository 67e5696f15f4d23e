import { type Cents, minus, plus, ZERO } from '../../platform/kernel/units.ts'

/**
 * The amounts of one invoice in cents. `refundedCents` includes refunds that are not completed yet, so that nothing is refunded
 * twice.
 */
export interface InvoiceFigures {
  totalCents: Cents
  creditedCents: Cents
  amountPaidCents: Cents
  refundedCents: Cents
}

/**
 * Returns the amount that the payer owes on an invoice in cents: invoiced − credited − paid + refunded. Negative when the school owes
 * the payer. Implements interface §Invoices.
 */
export function balanceOf({ totalCents, creditedCents, amountPaidCents, refundedCents }: InvoiceFigures): Cents {
  return plus(minus(minus(totalCents, creditedCents), amountPaidCents), refundedCents)
}

/** Returns the amount that the school owes the payer on an invoice in cents, at least 0. */
export function owedBackOf(figures: InvoiceFigures): Cents {
  const balance = balanceOf(figures)
  return balance < 0 ? minus(ZERO, balance) : ZERO
}
