import {
  conflict,
  defineErrors,
  forbidden,
  invalid,
  notFound,
  sentence,
  tooMany,
} from '../platform/kernel/error-catalogue.ts'

/** The errors of the workflows that join several contexts. */
export const workflowsErrors = defineErrors('workflows', {
  nobodyCame: sentence('Nobody has ramped it out.'),
  requesterLeftOut: invalid('personnel: the requester must be on the booking'),
  noSuchSeries: notFound('There is no such series.'),
  nothingLeftOfSeries: conflict('The series has no booking left to cancel.', 'NOT_PENDING'),
  tooManyOrganizations: tooMany('You own {owned} organizations. Please hand over or delete one first.'),
  noSuchCode: notFound('No organization has this code.'),
  bulkTooLarge: invalid('At most {limit} bookings can be changed at once.'),
  selectionChanged: conflict('There are {count} {count|booking|bookings} now.', 'CHANGED_MEANWHILE'),
  memberIsOut: conflict('The member is out on a flight. Please ramp it in first.', 'MEMBER_OUT'),
  mergesManaged: invalid('Only a member without an account can be merged into another member.'),
  mergeConflict: conflict('{count} {count|record prevents|records prevent} the merge.', 'MERGE_CONFLICT'),
  recordDiffers: sentence('The training record of {name} says {recorded} h of {clock} time, the flight {flown} h.'),
  figuresCorrected: sentence('Signed: {signed} · Now: {now} · Objections: until {until}'),
  toldByDesk: sentence('{name} has no email address. Please tell them of the correction.'),
  atOnce: sentence('{booking} and {other} are at the same time.'),
  bothAboard: sentence('Both are on {booking}.'),
  bothEnrolled: sentence('Both are enrolled in {course}.'),
  bothCurrent: sentence('Both have a date for {currency}, and the dates differ.'),
  notRemoved: conflict('The member has to be removed first.', 'NOT_REMOVED'),
  alreadyErased: conflict('The personal data of this member was erased before.', 'ALREADY_ERASED'),
  stillNeeded: conflict(
    '{count} {count|invoice is|invoices are} still open or disputed. Please settle or void {count|it|them} first.',
    'STILL_NEEDED',
  ),
  exportRunning: conflict('An export is under way already.', 'EXPORT_RUNNING'),
  consentNeeded: conflict(
    'No place can be given without consent: see unoffered of each row. Ask the people and apply with consent: given, or plan anew.',
    'CONSENT_NEEDED',
  ),
  ownGain: forbidden(
    'Nobody records the consent to a lesson that they give themselves. Somebody else at the desk has to.',
  ),
  costsMore: sentence('The aircraft costs more than when the place was planned.'),
  standsAgain: sentence('The rules accept this booking where it is by now. Please plan again.'),
  poolNeedsConsent: sentence(
    'Each other aircraft of the pool costs more, is at another location or brings a new warning, so somebody has to agree. Name the aircraft to take it.',
  ),
  agreementMissing: sentence(
    'Since the plan, this has become a change that somebody has to agree to. Please plan again.',
  ),
  displacedLeft: conflict(
    '{count} {count|booking has|bookings have} no place that its people agreed to. Please apply with consent: given, or with cancelLeft.',
    'CONSENT_NEEDED',
  ),
  displacedOthers: conflict('The bookings of this time have changed. Please plan again.', 'CHANGED_MEANWHILE'),
  payerGone: sentence('{member} pays for themself again.'),
  payerToAccept: sentence('{member} pays for themself until {payer} accepts to pay.'),
  hasBookings: conflict('The member is on {bookings} future {bookings|booking|bookings}.', 'HAS_BOOKINGS'),
})
