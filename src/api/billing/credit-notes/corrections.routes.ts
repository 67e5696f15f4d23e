import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { refundWays } from '../../../shared/billing/credit-notes/credit.rules.ts'
import { findCredit } from '../../../shared/billing/credit-notes/credit-note.queries.ts'
import { dispatchErrors } from '../../../shared/dispatch/dispatch.errors.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { rehearse } from '../../../shared/platform/db/savepoint.ts'
import { findFlight } from '../../../shared/scheduling/reservations/reservation.queries.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { type CorrectedFlight, correctFlight } from '../../../shared/workflows/correct-flight.ts'
import { ReviewTimesBody } from '../../dispatch/close-out.schemas.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
import { envelope, IdParams, note } from '../../http/schemas.ts'
import { Reservation, reservationView } from '../../scheduling/reservations/reservation.view.ts'
import { CreditNote, creditNoteView } from './credit-note.view.ts'

const confirmed = z.boolean().optional()

const CorrectBody = z.object({
  readings: ReviewTimesBody.describe('The corrected figures, as in `POST /reservations/{id}/updateReviewTimes`'),
  reason: note(500),
  refund: z
    .enum(refundWays)
    .describe(
      'How what was paid too much goes back, as in `POST /invoices/{id}/creditNotes`. A charge on the ledger goes ' +
        'back to the ledger. A refund above `settings.refundApprovalCents` waits for a second admin',
    ),
  confirmMeterAnomaly: confirmed.describe('The same as in `readings`'),
  confirmMaintenanceTrigger: confirmed.describe('The same as in `readings`'),
  dryRun: z.boolean().default(false).describe('`true`: answers what would happen, and changes nothing'),
  password: PasswordAgain,
})

const beside = {
  credits: z
    .array(CreditNote)
    .describe('One credit note per invoice that becomes less. In a dry run, they do not exist afterwards'),
  warnings: z.array(z.string()),
}

export const correctionRoutes: Routes = (on) => {
  on.post('/reservations/:id/correct', {
    id: 'correctFlight',
    access: admins,
    tag: 'Close-out',
    edits: 'reservation',
    summary: 'Correct a billed flight',
    description:
      'Corrects the figures of a signed and invoiced flight; its signatures stay. Credits each invoice with the ' +
      'difference, at the prices and taxes of that invoice, and refunds what was overpaid: all of this or nothing. ' +
      'Times can only become shorter. Allowed until 60 days after the return, twice per flight, but not for a ' +
      'flight that the caller is on or pays for. Everyone who signed is notified, and the flight shows the signed ' +
      'figures in `correctedAfterSigning`. Signed training records and the flight log stay; where a record then ' +
      'differs, the certification of its enrollment is removed. Requires a recent sign-in, or the password. At ' +
      'most 30 per day.',
    params: IdParams,
    body: CorrectBody,
    answers: { 200: envelope(Reservation, beside) },
    errors: [
      schedulingErrors.noSuchBooking,
      schedulingErrors.bookingCancelled,
      schedulingErrors.notBilledYet,
      dispatchErrors.figuresStand,
      dispatchErrors.needsReview,
      dispatchErrors.correctedTwice,
      [dispatchErrors.maintenanceTrigger, 'repeat the request with `confirmMaintenanceTrigger`'],
      [dispatchErrors.meterAnomaly, 'repeat the request with `confirmMeterAnomaly`'],
      billingErrors.ownFlight,
      billingErrors.paidInAdvance,
      billingErrors.notCreditable,
      billingErrors.invoiceFailed,
      billingErrors.invoiceDisputed,
      billingErrors.refundUnderWay,
      billingErrors.cardUnderWay,
      billingErrors.remainderTooSmall,
      billingErrors.balanceOutOfBounds,
    ],
    asksAgain: 'always',
    rateLimit: { organization: 'correctionsOrganizationDay' },
    write: async (tx, { actor, params, body, services }) => {
      const { readings, reason, refund, dryRun } = body
      const { PUBLIC_URL } = services.config
      const correct = () =>
        correctFlight(tx, actor, params.id, {
          ...readings,
          confirmMeterAnomaly: readings.confirmMeterAnomaly || body.confirmMeterAnomaly === true,
          confirmMaintenanceTrigger: readings.confirmMaintenanceTrigger || body.confirmMaintenanceTrigger === true,
          reason,
          refund,
        })
      if (!dryRun) return { corrected: await correct(), rehearsed: null }
      const rehearsed = await rehearse(tx, async () =>
        viewCorrected({ db: tx.db, actor, now: tx.now, publicUrl: PUBLIC_URL }, await correct()),
      )
      return { corrected: null, rehearsed }
    },
    answer: async ({ corrected, rehearsed }, { db, actor, now, services }) => {
      const { flight, ...others } =
        rehearsed ?? (await viewCorrected({ db, actor, now, publicUrl: services.config.PUBLIC_URL }, corrected!))
      return ok(flight, others)
    },
  })
}

async function viewCorrected(
  { db, actor, now, publicUrl }: { db: Db; actor: Actor; now: Date; publicUrl: string },
  { id, creditIds, warnings }: CorrectedFlight,
) {
  const row = await findFlight(db, actor.organizationId, id)
  if (!row) throw schedulingErrors.noSuchBooking()
  const credits: z.input<typeof CreditNote>[] = []
  for (const creditId of creditIds) {
    const note = await findCredit(db, actor.organizationId, creditId)
    if (note) credits.push(creditNoteView(note, publicUrl))
  }
  return { flight: reservationView(row, actor, now), credits, warnings }
}
