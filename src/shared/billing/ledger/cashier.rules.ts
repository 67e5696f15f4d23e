import { type Cents, cents, minus } from '../../platform/kernel/units.ts'

/** How often `settings.cashierMaxCents` one cashier may take in a local day from all payers together. */
const ALL_PAYERS = 5

/** What a cashier took in a local day by payments and deposits, in cents: from one payer, and from all payers. */
export interface Taken {
  ofPayerCents: Cents
  ofAllCents: Cents
}

/**
 * Returns how much more a cashier may take from a payer in a local day, in cents. `mostCents`: the limit for one payer.
 * Reversed payments count too.
 * Implements interface §Desk grants.
 */
export function cashierLeft(mostCents: Cents, { ofPayerCents, ofAllCents }: Taken): Cents {
  const left = Math.min(minus(mostCents, ofPayerCents), ALL_PAYERS * mostCents - ofAllCents)
  return cents(Math.max(0, left))
}
