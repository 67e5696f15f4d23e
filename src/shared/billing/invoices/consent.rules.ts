/** What an invoice is raised for. */
export interface RaisedFor {
  kind: 'flight_charge' | 'prepaid_charge' | 'invoice_charge'
  /** Whether the payer raised it: bought what it charges. */
  own: boolean
  /** Whether the payer of a flight is asked to pay, because the payer did not agree to the charge. */
  asked: boolean
  /** Whether it charges a package. */
  sellsPackage: boolean
}

/**
 * Returns whether the payer agreed to an invoice, so that the payer's account may pay it at once: the payer signed for the flight, or
 * somebody who does not pay for it; or the payer bought what is charged. Implements interface §Invoices.
 */
export function hasAgreed({ kind, own, asked }: RaisedFor): boolean {
  return kind === 'flight_charge' ? !asked : own
}

/**
 * Returns whether the payer's account pays an invoice by itself while `settings.payFromLedger` is `auto`. It pays no package, and no
 * price that somebody else set for a booking. Implements interface §Organizations: settings.
 */
export function isAutomatic(raised: RaisedFor): boolean {
  return !raised.sellsPackage && (raised.kind !== 'prepaid_charge' || raised.own)
}
