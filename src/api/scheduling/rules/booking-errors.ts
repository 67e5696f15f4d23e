import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import type { CatalogueEntry } from '../../../shared/platform/kernel/error-catalogue.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { recoveryErrors } from '../../../shared/scheduling/recovery.errors.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'

/**
 * The errors of an endpoint that books or moves a booking: the problems of the booking rules, and the refusals by database
 * constraints when a concurrent booking was committed first.
 */
export const bookingRuleErrors = [
  ...Object.values<CatalogueEntry>(schedulingErrors).filter(isProblem),
  platformErrors.resourceBooked,
  platformErrors.personBooked,
  platformErrors.guestBooked,
]

/** The same for other operations than that which creates bookings, whose description has their messages. */
export const ruleErrorsOfChange = bookingRuleErrors.map((entry) => ({ entry, listedAt: 'POST /reservations' }))

/** The errors of the people, location and resource of a booking, and of its caller. */
export const bookingFieldErrors = [
  identityErrors.unknownMember,
  identityErrors.unknownLocation,
  fleetErrors.unknownResource,
  fleetErrors.unknownPool,
  schedulingErrors.unknownGuest,
  schedulingErrors.ownBookingsOnly,
  schedulingErrors.approvalRequired,
]

/** The errors of a cancellation, of one booking or of a series. */
export const cancellationErrors = [
  schedulingErrors.categoryUnknown,
  billingErrors.balanceOutOfBounds,
  billingErrors.feeForPayer,
  billingErrors.feeNeedsCategory,
  schedulingErrors.notOnBooking,
]

/** The errors of `overrides` of a booking. */
export const overrideErrors = [schedulingErrors.overrideNotAllowed, schedulingErrors.unknownRule]

function isProblem(entry: CatalogueEntry): entry is CatalogueEntry<null> {
  return entry.status === null && entry.code !== undefined
}

/** The errors of planned lessons. */
export const lessonErrors = [
  trainingErrors.lessonOfNobody,
  trainingErrors.lessonWithoutStudent,
  trainingErrors.lessonPlannedTwice,
  trainingErrors.lessonOfNoEnrollment,
] as const

/** The errors of a maintenance booking that displaces others. */
export const displacingErrors = [
  recoveryErrors.displacesOne,
  recoveryErrors.causeOver,
  recoveryErrors.recoveryTooLarge,
  recoveryErrors.recoveryRunning,
  recoveryErrors.tooManyRecoveries,
  platformErrors.tooManyOperations,
] as const
