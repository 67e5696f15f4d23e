import type { Side } from '../../fleet/resources/reservation-types.rules.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { PayerId } from './flight-bill.types.ts'

/** How long a payer can object to a charge to which the payer has not agreed. */
const OBJECTION_MS = 24 * 3_600_000

/** The last notice to a payer: the announced amount in cents, and when the payer was notified. */
export interface Notice {
  amountCents: Cents
  notifiedAt: Date
}

/** The facts that decide from when on a payer may be charged without being asked. */
export interface Taking {
  /** Whether the payer signed for it or bought it, or whether somebody who does not pay for it signed. */
  agreed: boolean
  amountCents: Cents
  /** Null: the payer was not notified. */
  notice: Notice | null
}

/**
 * Returns from when on a payer's card, packages or account may be charged without asking: `now` when the payer agreed, otherwise 24
 * hours after the mail that announced the amount. Null when no mail announced at least this amount: the payer must be notified first.
 * Implements interface §Invoices.
 */
export function takeableFrom({ agreed, amountCents, notice }: Taking, now: Date): Date | null {
  if (agreed) return now
  if (!notice || notice.amountCents < amountCents) return null
  return objectsUntil(notice.notifiedAt)
}

/** Returns until when a payer can object: 24 hours after the payer was notified. */
export function objectsUntil(notifiedAt: Date): Date {
  return new Date(notifiedAt.getTime() + OBJECTION_MS)
}

/** The facts that decide from when on the account of a payer may pay an invoice. */
export interface PaysFromAccount {
  /** Whether the payer pays. */
  byPayer: boolean
  /** Whether an admin pays who did not raise the invoice, and is neither on its flight nor tied to its payer. */
  byOtherAdmin: boolean
  /** From when on the account may pay without an act of the payer; null: the payer neither agreed nor was mailed that it will. */
  ledgerFrom: Date | null
  /** When the payer was asked to pay the invoice; null: not yet, or the mail about it was given up. */
  notifiedAt: Date | null
}

/**
 * Returns from when on somebody may pay an invoice from the account of its payer: `now` for the payer, for an admin who has no part in
 * it, and for what the payer signed for or bought; otherwise 24 hours after the payer was asked to pay it.
 * Implements interface §Invoices.
 */
export function accountPaysFrom({ byPayer, byOtherAdmin, ledgerFrom, notifiedAt }: PaysFromAccount, now: Date): Date {
  if (byPayer || byOtherAdmin) return now
  return ledgerFrom ?? objectsUntil(notifiedAt ?? now)
}

/** A mail that is not sent within this time counts as not sent: the next request writes another one. */
const SENDING_MS = 3_600_000

/**
 * A mail to a payer about an amount in cents for a flight. `givenUpAt`: when its delivery was given up. `clearedAt`: when the signatures
 * on the flight were last cleared. `signedAt`: when the flight was last signed off; null: it is not.
 */
export interface MailOfAmount {
  amountCents: Cents
  writtenAt: Date
  sentAt: Date | null
  givenUpAt: Date | null
  clearedAt: Date | null
  signedAt: Date | null
}

/**
 * Returns the notice of a mail that was sent, or is being sent now. Null when the mail was given up, or is not sent an hour after it
 * was written; and when the signatures were cleared after it was sent and the flight was not signed again within the payer's 24 hours,
 * because the mail says that nothing is taken until then.
 */
export function notifiedBy(mail: MailOfAmount, now: Date): Notice | null {
  const { amountCents, writtenAt, sentAt, givenUpAt, clearedAt, signedAt } = mail
  if (sentAt) {
    const isCleared = clearedAt !== null && clearedAt > sentAt
    return isCleared && (signedAt ?? now) >= objectsUntil(sentAt) ? null : { amountCents, notifiedAt: sentAt }
  }
  if (givenUpAt) return null
  return now.getTime() - writtenAt.getTime() < SENDING_MS ? { amountCents, notifiedAt: now } : null
}

/**
 * A signature on the figures of a flight. `recordedBy`: the desk staff member who signed on behalf of `orgUserId`; otherwise null.
 * `amounts`: what each payer owed when it was signed, in cents.
 */
export interface FlightSignature {
  orgUserId: number
  side: Side
  recordedBy: number | null
  amounts: readonly { orgUserId: number; amountCents: Cents }[]
}

/**
 * Returns whether a payer agreed to pay an amount for a flight: the payer signed it, or it was signed by an instructor or by the desk,
 * and the person who signed does not pay for it. A signature agrees to at most what the payer owed when it was given, so that nobody
 * raises it afterwards by the school's rules, rates or taxes. Implements interface §Invoices.
 */
export function agreedToFlight(
  payer: PayerId,
  amountCents: Cents,
  { signatures, payers }: { signatures: readonly FlightSignature[]; payers: readonly PayerId[] },
): boolean {
  return signatures.some(({ orgUserId, side, recordedBy, amounts }) => {
    const owed = amounts.find((one) => one.orgUserId === payer.orgUserId)
    if (!owed || owed.amountCents < amountCents) return false
    if (orgUserId === payer.orgUserId) return true
    const isDisinterested = !payers.some((one) => one.orgUserId === (recordedBy ?? orgUserId))
    return isDisinterested && (recordedBy !== null || side === 'instructors')
  })
}

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
