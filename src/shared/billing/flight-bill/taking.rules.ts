import type { Side } from '../../fleet/resources/reservation-types.rules.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { PayerId } from './flight-bill.types.ts'

/** The time in which a payer can object before money is taken that the payer did not agree to. */
const OBJECTION_MS = 24 * 3_600_000

/** What a payer was told last: how much is taken, in cents, and when the mail was written. */
export interface Told {
  amountCents: Cents
  notifiedAt: Date
}

/** What decides from when on a payer's money may be taken without asking. */
export interface Taking {
  /** Whether the payer signed for it, bought it, or somebody vouched for it who gains nothing. */
  agreed: boolean
  amountCents: Cents
  /** Null: the payer was told nothing. */
  told: Told | null
}

/**
 * Returns from when on a payer's card, packages or account may be charged without asking: at once what the payer agreed to, anything
 * else 24 hours after a mail that says so. Null: the payer was not told of this amount, and has to be told first.
 * Implements interface §Invoices.
 */
export function takeableFrom({ agreed, amountCents, told }: Taking, now: Date): Date | null {
  if (agreed) return now
  if (!told || told.amountCents < amountCents) return null
  return objectsUntil(told.notifiedAt)
}

/** Returns until when a payer who was told at an instant may object. */
export function objectsUntil(notifiedAt: Date): Date {
  return new Date(notifiedAt.getTime() + OBJECTION_MS)
}

/** A mail that has not left for so long is written again when somebody asks. */
const SENDING_MS = 3_600_000

/** A mail to a payer about an amount. `givenUpAt`: from when on it will not leave. */
export interface MailOfAmount {
  amountCents: Cents
  writtenAt: Date
  sentAt: Date | null
  givenUpAt: Date | null
}

/** Returns what a payer was told by a mail, or is being told now; null when the mail was given up, or has not left for long. */
export function notifiedBy({ amountCents, writtenAt, sentAt, givenUpAt }: MailOfAmount, now: Date): Told | null {
  if (sentAt) return { amountCents, notifiedAt: sentAt }
  if (givenUpAt) return null
  return now.getTime() - writtenAt.getTime() < SENDING_MS ? { amountCents, notifiedAt: now } : null
}

/** A signature on the figures of a flight. `recordedBy`: who of the desk signed for a member without an account. */
export interface FlightSignature {
  orgUserId: number
  side: Side
  recordedBy: number | null
}

/**
 * Returns whether a payer agreed to what a flight costs: the payer signed it, or its instructor or the desk did, who do not pay
 * for it. Implements interface §Invoices.
 */
export function agreedToFlight(
  payer: PayerId,
  { signatures, payers }: { signatures: readonly FlightSignature[]; payers: readonly PayerId[] },
): boolean {
  return signatures.some(({ orgUserId, side, recordedBy }) => {
    if (orgUserId === payer.orgUserId) return true
    const isDisinterested = !payers.some((one) => one.orgUserId === (recordedBy ?? orgUserId))
    return isDisinterested && (recordedBy !== null || side === 'instructors')
  })
}
