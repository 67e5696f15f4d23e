import { notify } from '../communication/notifications/notify.ts'
import { type Actor, is } from '../platform/authz/actor.ts'
import { deskStaff } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { ZERO } from '../platform/kernel/units.ts'
import { invalidFields } from '../platform/platform.errors.ts'
import { seal } from '../platform/seals/seal.ts'
import { refusalOf } from '../scheduling/reservations/lifecycle.states.ts'
import { decidesForPayers, payersOf } from '../scheduling/reservations/payers.rules.ts'
import {
  assertTransition,
  clearSignatures,
  lifecycleOf,
  lockReservation,
  refused,
} from '../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { type Figures, readCorrection, readingsOf, type SentFigures, shortens } from './corrections.rules.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { type FollowedMeters, followWithMeters, readMeters } from './follow-with-meters.ts'
import type { MeterRun } from './meters.rules.ts'
import { assertPlausible } from './ramp-in.ts'
import { mayClearSignatures } from './sign-off.rules.ts'

/** Readings in hundredths of an hour, briefing in tenths; absent figures keep their values. */
export interface ReviewTimes extends SentFigures {
  confirmMeterAnomaly: boolean
  confirmMaintenanceTrigger: boolean
}

/** The outcome of a correction; meters in hundredths of an hour. */
export interface Corrected {
  id: number
  noChanges: boolean
  /** Whether desk staff shortened times that they pay for themselves. */
  shortenedOwn: boolean
  meter: FollowedMeters
}

/**
 * Corrects figures of a booking and clears all signatures on it. A meter of the aircraft is corrected only while it still equals this
 * flight's reading in. When a figure looks like a typo, every payer must sign, unless the actor decides for the payers; such an actor can
 * also end this requirement by confirming the figures unchanged. The authors of the flight log are notified when it contradicts the new
 * figures.
 * Implements interface §Reservations rule 7.
 */
export async function updateReviewTimes(tx: Tx, actor: Actor, id: number, input: ReviewTimes): Promise<Corrected> {
  const { confirmMeterAnomaly, confirmMaintenanceTrigger, ...sent } = input
  const row = await lockReservation(tx, actor, id)
  assertBookingParty(row, actor)
  const tooEarlyOrLate = refusalOf('updateReviewTimes', { ...lifecycleOf(row), billed: false })
  if (tooEarlyOrLate) throw refused(tooEarlyOrLate)
  const before = figuresOf(row)
  const correction = readCorrection(before, sent)
  if (correction.problems) {
    const { problems } = correction
    throw invalidFields(problems)
  }
  const decides = decidesForPayers(actor, row)
  const vouches = decides && confirmMeterAnomaly && row.payers_sign
  if (correction.noChanges && !vouches) return unchanged(id, await readMeters(tx, actor, row))
  assertTransition('updateReviewTimes', row)
  if (!mayClearSignatures(row, actor.roles, actor.orgUserId)) {
    throw dispatchErrors.othersSigned()
  }
  const figures = correction.noChanges ? before : correction.figures
  const briefing = figures.briefing === before.briefing ? null : figures.briefing
  assertPlausible({ runs: changedRuns(before, figures), briefing }, row, confirmMeterAnomaly)
  const meter = await followWithMeters(tx, actor, row, figures, confirmMaintenanceTrigger)
  tx.em.assign(row.entity, {
    ...readingsOf(figures),
    briefingTenths: figures.briefing,
    payersSign: !decides && isOdd(figures, row),
  })
  await clearSignatures(tx, actor, row.entity, { settles: decides })
  seal(tx, actor, 'reservation.corrected', { id, of: null })
  const { organizationId, orgUserId: causedBy } = actor
  const own = payersOf(row.type, row.seats).some(({ orgUserId }) => orgUserId === causedBy)
  notify(tx, { organizationId, kind: 'log_contradicts', subjectId: id, causedBy })
  emit(tx, actor, {
    kind: 'reservation.corrected',
    subject: { kind: 'reservation', id },
    before,
    after: { ...figures, own },
  })
  return { id, noChanges: false, shortenedOwn: own && is(actor, deskStaff) && shortens(before, figures), meter }
}

function unchanged(id: number, meter: FollowedMeters): Corrected {
  return { id, noChanges: true, shortenedOwn: false, meter }
}

/** Returns whether any figure of the booking looks like a typo, including figures that the correction does not change. */
function isOdd(figures: Figures, row: ReservationRow): boolean {
  return assertPlausible({ runs: runsOf(figures), briefing: figures.briefing }, row, true)
}

function assertBookingParty(row: ReservationRow, actor: Actor): void {
  if (is(actor, deskStaff) || row.seats.some((seat) => seat.orgUserId === actor.orgUserId)) return
  throw dispatchErrors.notYourFlight()
}

/** Returns the figures of a loaded booking. */
export function figuresOf(row: ReservationRow): Figures {
  return {
    hobbsTimeOut: row.hobbs_out,
    hobbsTimeIn: row.hobbs_in,
    tachTimeOut: row.tach_out,
    tachTimeIn: row.tach_in,
    briefing: row.briefing_tenths,
  }
}

/** Returns the readings of the meters that the correction changes; the other meters were checked when they were recorded. */
export function changedRuns(before: Figures, after: Figures): MeterRun[] {
  return runsOf(after).filter(({ meter }) => {
    const [out, back] = [`${meter}TimeOut`, `${meter}TimeIn`] as const
    return before[out] !== after[out] || before[back] !== after[back]
  })
}

/** Returns the readings of these figures by meter. */
export function runsOf({ hobbsTimeOut, hobbsTimeIn, tachTimeOut, tachTimeIn }: Figures): MeterRun[] {
  return [
    { meter: 'hobbs', out: hobbsTimeOut ?? ZERO, in: hobbsTimeIn ?? ZERO },
    { meter: 'tach', out: tachTimeOut ?? ZERO, in: tachTimeIn ?? ZERO },
  ]
}
