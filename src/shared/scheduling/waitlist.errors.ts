import { conflict, defineErrors, forbidden, invalid, notFound } from '../platform/kernel/error-catalogue.ts'

/** The errors of the waiting list and of offers. */
export const waitlistErrors = defineErrors('waitlist', {
  noSuchEntry: notFound('There is no such entry of the waiting list.'),
  noSuchOffer: notFound('There is no such offer.'),
  entryForOthers: forbidden(
    'Only desk staff can enter other members. Instructors can enter their own students, for lessons with themselves as the instructor.',
  ),
  tooManyEntries: conflict(
    'The member or the organization has {limit} entries of the waiting list, which is the limit. Delete one first.',
    'TOO_MANY_ENTRIES',
  ),
  entryEnded: conflict('This entry of the waiting list has ended.', 'NOT_PENDING'),
  noSeat: invalid('orgUserId: {name} has no role that can wait for a {type} booking'),
  noSuchResources: invalid('resourceIds: there is no aircraft or simulator for this type: {ids}'),
  noSuchPool: invalid('pool: there is no such pool of aircraft for this type'),
  poolOrResources: invalid('pool: cannot be combined with resourceIds'),
  instructorsOfDual: invalid('instructorOrgUserIds: is only for dual'),
  insteadOfUnfit: invalid(
    'insteadOf: must be a future booking of the same type, not paid in advance, on which the member is alone or with an instructor',
  ),
  windowAhead: invalid('windows.{index}.start: must be in the future, within {days} days'),
  windowsOverlap: invalid('windows.{index}: must not overlap another window'),
  windowTooShort: invalid('windows.{index}: must be at least as long as durationMinutes'),
  offerEnded: conflict('This offer is no longer open.', 'OFFER_ENDED'),
  howMissing: invalid('how: say how the person answered: phone, counter or message'),
  offerOfOther: forbidden('Only the person, desk staff and the instructor may answer an offer.'),
  linkUnknown: notFound('This link is unknown or has ended.'),
})
