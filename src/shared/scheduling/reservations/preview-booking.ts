import { type Actor, mustBeVerified } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import type { ProblemListCode } from '../../platform/kernel/error-codes.ts'
import { AppError, type ErrorDetails } from '../../platform/kernel/errors.ts'
import { assertBookable } from '../rules/assert-bookable.ts'
import { locationOf, resolveGuestsByEmail } from '../rules/booking-input.access.ts'
import type { NewBooking } from '../rules/booking-input.types.ts'
import { planBooking } from '../rules/plan-booking.ts'
import { mustSetPrice } from './reservation.access.ts'

/** One problem; `details` names its field, person, resource, booking and date. */
export interface CheckedProblem {
  code: ProblemListCode
  message: string
  details: ErrorDetails
}

/** Returns every problem that creating the booking would report; writes nothing. */
export async function previewBooking(db: Db, actor: Actor, now: Date, input: NewBooking): Promise<CheckedProblem[]> {
  try {
    const seats = await resolveGuestsByEmail(db, actor.organizationId, input.seats)
    const plan = await planBooking(db, actor, now, { ...input, seats })
    assertBookable(plan, input.zone)
    mustSetPrice(actor, input.collectionStyle)
    await locationOf(db, actor, input.locationId, plan.resourceLocationId)
    if (input.collectionStyle === 'prepaid_fixed') mustBeVerified(actor)
    return []
  } catch (error) {
    if (error instanceof AppError) return problemsOf(error)
    throw error
  }
}

function problemsOf({ status, code, message, details }: AppError): CheckedProblem[] {
  const problems = details?.problems as ({ code: ProblemListCode; message: string } & ErrorDetails)[] | undefined
  if (problems) return problems.map(({ code, message, ...about }) => ({ code, message, details: about }))
  return [{ code: code ?? (status === 403 ? 'FORBIDDEN' : 'INVALID'), message, details: {} }]
}
