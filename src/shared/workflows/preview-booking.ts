import { type CancellationTerms, cancellationTermsOf, feeTiersOf } from '../billing/fees/fee.rules.ts'
import { type Actor, assertIsVerified } from '../platform/authz/actor.ts'
import type { Db } from '../platform/db/database.ts'
import { AppError, type ErrorDetails } from '../platform/kernel/errors.ts'
import type { ProblemListCode } from '../platform/kernel/problem-codes.ts'
import { ZERO } from '../platform/kernel/units.ts'
import { planWithFix } from '../scheduling/openings/plan-with-fix.ts'
import { findShopTime } from '../scheduling/recoveries/find-shop-slots.ts'
import { assertSetsPrice } from '../scheduling/reservations/reservation.access.ts'
import { assertBookable, type BookingWarning, warningsOf } from '../scheduling/rules/assert-bookable.ts'
import { locationOf, resolveGuestsByEmail } from '../scheduling/rules/booking-input.access.ts'
import type { NewBooking } from '../scheduling/rules/booking-input.types.ts'
import type { BookingPlan } from '../scheduling/rules/plan-booking.ts'
import type { Problem } from '../scheduling/rules/problems.ts'

/**
 * One problem, in the shape of a warning. `details` repeats its field, person, resource, booking and date for older
 * clients.
 */
export interface CheckedProblem {
  rule: Problem['rule'] | 'permission'
  code: ProblemListCode
  message: string
  field: string
  overridable: boolean
  details: ErrorDetails
}

/**
 * Returns every problem and warning that creating the booking would report, and what its cancellation would cost. Writes nothing. Implements interface
 * §Reservations, POST /reservations/check.
 */
export async function previewBooking(
  db: Db,
  actor: Actor,
  now: Date,
  input: NewBooking,
): Promise<{
  problems: CheckedProblem[]
  warnings: BookingWarning[]
  cancellationTerms: CancellationTerms | null
}> {
  let warnings: BookingWarning[] = []
  let cancellationTerms: CancellationTerms | null = null
  try {
    const seats = await resolveGuestsByEmail(db, actor.organizationId, input.seats)
    const plan = await planWithFix(db, actor, now, { ...input, seats }, findShopTime)
    warnings = warningsOf(plan, input.zone)
    cancellationTerms = termsOfPlan(actor, now, input, plan)
    assertBookable(plan, input.zone)
    assertSetsPrice(actor, input.collectionStyle)
    await locationOf(db, actor, input.locationId, plan.resourceLocationId)
    if (input.collectionStyle === 'prepaid_fixed') assertIsVerified(actor)
    return { problems: [], warnings, cancellationTerms }
  } catch (error) {
    if (error instanceof AppError) return { problems: problemsOf(error), warnings, cancellationTerms }
    throw error
  }
}

/** Returns the terms that a booking or the first of a series would have. */
function termsOfPlan(
  { organization: { settings } }: Actor,
  now: Date,
  { type, start, prepaidAmountCents }: NewBooking,
  plan: BookingPlan,
): CancellationTerms | null {
  if (settings.cancellationFees.length === 0) return null
  const tiers = feeTiersOf(settings, { type, estimatedCents: (prepaidAmountCents ?? plan.estimatedCents) || ZERO })
  return cancellationTermsOf({ booked: tiers, today: tiers }, { start, now })
}

function problemsOf({ status, code, message, details }: AppError): CheckedProblem[] {
  const problems = details?.problems as BookingWarning[] | undefined
  if (problems) return problems.map((problem) => ({ ...problem, details: detailsOf(problem) }))
  const rule = status === 403 ? 'permission' : 'booking_shape'
  const plain = { message, field: '', overridable: false, details: {} }
  return [{ rule, code: code ?? (status === 403 ? 'FORBIDDEN' : 'INVALID'), ...plain }]
}

function detailsOf(problem: Problem) {
  const { code: _code, message: _message, overridable: _overridable, fix: _fix, rule, details, ...about } = problem
  return { ...about, ...details, ...(rule === 'eligibility' && { rule }) }
}
