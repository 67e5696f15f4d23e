import { z } from 'zod'
import {
  cancellationTermsOf,
  noticeStartOf,
  type CancellationTerms as Terms,
  termsOf,
} from '../../../shared/billing/fees/fee.rules.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import type { FeeRow } from '../../../shared/scheduling/reservations/booking-parts.types.ts'
import type { ReservationStatus } from '../../../shared/scheduling/reservations/lifecycle.states.ts'
import type { ReservationRow } from '../../../shared/scheduling/reservations/reservation.queries.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant, Person } from '../../http/schemas.ts'

/** Until when a booking can be cancelled without a fee. */
export const CancellationTerms = z
  .object({ freeUntil: Instant, afterwardsCents: Cents.describe('The most that a cancellation costs then, or now') })
  .meta({ id: 'CancellationTerms' })
  .nullable()

/** The fee of a cancellation. */
export const ReservationFee = z
  .object({
    cents: Cents,
    status: z.enum(['proposed', 'objected', 'waived', 'charged', 'credited']),
    chargeAt: Instant.nullable().describe('When it is charged; null: never, or when the desk decides'),
    objection: z.string().nullable(),
    reason: z.string().nullable(),
    decidedBy: Person.nullable(),
    invoiceId: Id.nullable(),
    often: z
      .boolean()
      .describe('Whether the payer cancelled late three times in 90 days in a category that costs nothing'),
  })
  .meta({ id: 'LateCancellationFee' })
  .nullable()

/** This many late cancellations in free categories are marked. */
const OFTEN = 3

/** Returns the terms of a booking that can still be cancelled, for the people concerned. */
export function bookedTermsView(
  row: ReservationRow,
  reader: Actor,
  { concerned, status, now }: { concerned: boolean; status: ReservationStatus; now: Date },
): z.input<typeof CancellationTerms> {
  if (row.cancellation_terms === null || !concerned || status !== 'booked') return null
  const terms = termsOf(row, reader.organization.settings)
  return termsView(terms && cancellationTermsOf(terms, { start: noticeStartOf(row), now }))
}

/** Returns the terms of a booking in an answer. */
export function termsView(terms: Terms | null): z.input<typeof CancellationTerms> {
  return terms && { freeUntil: iso(terms.freeUntil), afterwardsCents: terms.afterwardsCents }
}

/** Returns the fee of the present cancellation of a booking, for its payer and desk staff. */
export function feeView(row: ReservationRow, reader: Actor): z.input<typeof ReservationFee> {
  const fee = row.fees.find(({ cancelledAt }) => new Date(cancelledAt).getTime() === row.cancelled_at?.getTime())
  if (!fee || !(is(reader, deskStaff) || isPayer(fee, reader))) return null
  const { cents, status, chargeAt, objection, reason, decidedBy, invoiceId, freeCount } = fee
  return {
    cents,
    status: status === 'charged' && fee.stands === false ? 'credited' : status,
    chargeAt: chargeAt && iso(new Date(chargeAt)),
    objection,
    reason,
    decidedBy,
    invoiceId,
    often: freeCount >= OFTEN,
  }
}

function isPayer({ orgUserId, payerId, cents }: FeeRow, reader: Actor): boolean {
  return cents > 0 && (orgUserId === reader.orgUserId || payerId === reader.orgUserId)
}
