import { notify } from '../communication/notifications/notify.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { invalidFields } from '../platform/platform.errors.ts'
import { seal } from '../platform/seals/seal.ts'
import type { LockedReservation } from '../scheduling/reservations/reservation.access.ts'
import { type Figures, readCorrection, readingsOf } from './corrections.rules.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { followWithMeters } from './follow-with-meters.ts'
import { MOST_CORRECTIONS, whyReview } from './kept-correction.rules.ts'
import { findNeighbours } from './neighbours.queries.ts'
import { assertPlausible } from './ramp-in.ts'
import { changedRuns, figuresOf, type ReviewTimes, runsOf } from './update-review-times.ts'

/**
 * Corrects figures of a locked flight while its signatures stand: stores the figures that were signed beside the corrected ones. The
 * meters of the aircraft follow as in `updateReviewTimes`. Returns the corrected figures.
 * Implements interface §Reservations, correct.
 */
export async function correctSigned(
  tx: Tx,
  actor: Actor,
  row: LockedReservation,
  { confirmMeterAnomaly, confirmMaintenanceTrigger, reason, ...sent }: ReviewTimes & { reason: string },
): Promise<Figures> {
  const { id } = row
  const before = figuresOf(row)
  const correction = readCorrection(before, sent, 'readings')
  if (correction.problems) throw invalidFields(correction.problems)
  if (correction.noChanges) throw dispatchErrors.figuresStand()
  if (row.corrections >= MOST_CORRECTIONS) throw dispatchErrors.correctedTwice()
  const { figures } = correction
  const briefing = figures.briefing === before.briefing ? null : figures.briefing
  const recorded = { runs: changedRuns(before, figures), briefing, within: 'readings', signed: runsOf(before) }
  assertPlausible(recorded, row, confirmMeterAnomaly)
  const neighbours = await findNeighbours(tx.db, actor.organizationId, row)
  const flownAt = row.ramped_in_at ?? row.ends_at
  const why = whyReview({ before, after: figures, neighbours, flownAt }, tx.now)
  if (why) throw dispatchErrors.needsReview({ why })
  await followWithMeters(tx, actor, row, figures, confirmMaintenanceTrigger)
  tx.em.assign(row.entity, {
    ...readingsOf(figures),
    briefingTenths: figures.briefing,
    corrections: row.corrections + 1,
    correctedBy: actor.orgUserId,
    correctedAt: tx.now,
    correctionReason: reason,
    signedFigures: row.signed_figures ?? before,
  })
  seal(tx, actor, 'reservation.corrected', { id, of: null })
  const { organizationId, orgUserId: causedBy } = actor
  notify(tx, { organizationId, kind: 'log_contradicts', subjectId: id, causedBy })
  const subject = { kind: 'reservation', id } as const
  emit(tx, actor, {
    kind: 'reservation.corrected',
    subject,
    before,
    after: { ...figures, own: false, kept: true },
    reason,
  })
  return figures
}
