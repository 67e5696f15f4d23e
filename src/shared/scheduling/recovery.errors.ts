import { conflict, defineErrors, invalid, notFound, sentence, tooMany } from '../platform/kernel/error-catalogue.ts'

/** The errors of recoveries and of slots for the shop. */
export const recoveryErrors = defineErrors('recovery', {
  causeOver: invalid('{field}: is over'),
  recoveryTooLarge: invalid('cause: takes more than {limit} bookings; please choose a shorter window'),
  slotsTooMany: invalid('endDate: the aircraft has more than {limit} bookings then; please choose a shorter window'),
  slotsTooFar: invalid('endDate: must be at most {days} days ahead'),
  displacesOne: invalid('displace: needs one maintenance booking of one aircraft or simulator'),
  recoveryRunning: conflict(
    'Another recovery is being planned or applied. Please wait until it has ended.',
    'RECOVERY_RUNNING',
  ),
  tooManyRecoveries: tooMany('Too many recoveries wait. Please try again in a moment.'),
  noSuchRecovery: notFound('There is no such recovery.'),
  recoveryNotReady: conflict('The recovery has no plan to apply.', 'NOT_PENDING'),
  nothingToApply: conflict('None of these bookings is left to move.', 'NOT_PENDING'),
  movedMeanwhile: sentence('The booking was moved or given to others since the plan.'),
  planOutdated: conflict('The plan is older than 24 hours. Please plan again.', 'PLAN_OUTDATED'),
  notInPlan: invalid('{field}: the plan has no such booking'),
})
