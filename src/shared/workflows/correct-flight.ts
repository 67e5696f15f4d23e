import { billingErrors } from '../billing/billing.errors.ts'
import type { RefundWay } from '../billing/credit-notes/credit.rules.ts'
import { creditCorrection, lockInvoicesToCorrect } from '../billing/credit-notes/follow-correction.ts'
import { lockLiveInvoices } from '../billing/invoices/invoice.access.ts'
import { dayInWords } from '../communication/notifications/templates/when.rules.ts'
import { correctSigned } from '../dispatch/correct-signed.ts'
import { readingsOf } from '../dispatch/corrections.rules.ts'
import { closeOutInWords } from '../dispatch/sign-off.rules.ts'
import { figuresOf, type ReviewTimes } from '../dispatch/update-review-times.ts'
import { objectionsEnd } from '../dispatch/write-objection.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { formatTenths } from '../platform/kernel/hours.ts'
import { assertTransition, lockReservation } from '../scheduling/reservations/reservation.access.ts'
import { removeCertifications } from '../training/enrollments/remove-certifications.ts'
import { findRecordsBeside, findUnreachable } from './corrected-flight.queries.ts'
import { workflowsErrors } from './workflows.errors.ts'

/** A correction of a billed flight: its figures, why, and how what was paid too much goes back. */
export interface FlightCorrection extends ReviewTimes {
  reason: string
  refund: RefundWay
}

/** The credit notes of a corrected flight, and what somebody still has to do. */
export interface CorrectedFlight {
  id: number
  creditIds: number[]
  warnings: string[]
}

/**
 * Puts a billed flight right: corrects its figures while the signatures stand, credits each of its invoices with the difference at the
 * prices of the invoice, and gives back what was paid too much; all of it or nothing. Locks the invoices, the booking, the aircraft,
 * then the accounts: a payment locks its invoice and then, by the foreign key, the booking. What was signed elsewhere stays; an
 * enrollment whose records now differ from the flight is certified no more.
 * Implements interface §Reservations, correct.
 */
export async function correctFlight(
  tx: Tx,
  actor: Actor,
  id: number,
  { refund, ...correction }: FlightCorrection,
): Promise<CorrectedFlight> {
  const { organizationId, orgUserId } = actor
  await lockLiveInvoices(tx, organizationId, [id])
  const row = await lockReservation(tx, actor, id)
  if (row.seats.some((seat) => seat.orgUserId === orgUserId)) throw billingErrors.ownFlight()
  const toCredit = await lockInvoicesToCorrect(tx, actor, row)
  assertTransition('correct', row)
  const figures = await correctSigned(tx, actor, row, correction)
  const { creditIds, warnings } = await creditCorrection(tx, actor, toCredit, {
    after: {
      readings: readingsOf(figures),
      briefing: figures.briefing,
    },
    // Payers who are not on the flight read on the credit note the figures, and until when they may object. The reason is for those who were aboard.
    reason: workflowsErrors.figuresCorrected({
      signed: closeOutInWords(row.signed_figures ?? figuresOf(row)),
      now: closeOutInWords(figures),
      until: dayInWords(objectionsEnd(tx.now), actor.organization.timeZoneName),
    }),
    refund,
  })
  await tx.em.flush()
  const records = await findRecordsBeside(tx.db, organizationId, row)
  await removeCertifications(
    tx,
    actor,
    records.flatMap(({ recordIds }) => recordIds.split(' ').map(Number)),
  )
  const unreachable = await findUnreachable(tx.db, organizationId, id)
  return {
    id,
    creditIds,
    warnings: [
      ...warnings,
      ...records.map(({ name, clock, recordedDeciHours, bookedDeciHours }) =>
        workflowsErrors.recordDiffers({
          name,
          clock,
          recorded: formatTenths(recordedDeciHours),
          flown: formatTenths(bookedDeciHours),
        }),
      ),
      ...unreachable.map((name) => workflowsErrors.toldByDesk({ name })),
    ],
  }
}
