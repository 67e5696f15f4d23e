import { conflict, defineErrors, forbidden, invalid, sentence } from '../platform/kernel/error-catalogue.ts'

/** What the close-out of a flight is refused with. */
export const dispatchErrors = defineErrors('dispatch', {
  nothingForYouToConfirm: invalid('Your side does not have to confirm this booking.'),
  notByBriefing: invalid('briefing: this booking is not measured by it'),
  briefingSet: invalid('briefing: is set already; correct it instead, so that everyone confirms the new figure'),
  maintenanceTrigger: conflict(
    'This would pass {reminders} and ground {resource}. Please confirm it if it is right.',
    'MAINTENANCE_TRIGGER',
  ),
  tachInMissing: invalid('tachTimeIn: is required for an aircraft'),
  meterAnomaly: conflict(
    'The reading looks like a typo. Please check it, and confirm it if it is right.',
    'METER_ANOMALY',
  ),
  tachOutMissing: invalid('tachTimeOut: is required for an aircraft'),
  notAboard: invalid('You are not on this booking.'),
  reopenForDesk: forbidden('Only admins, dispatchers and the instructor of the booking can reopen it.'),
  othersSigned: forbidden(
    'Somebody else has signed: only admins, dispatchers and the instructor of the booking correct it.',
  ),
  notYourFlight: forbidden('You are not on this booking.'),
  rampInFirst: invalid('{resource} is out on another booking: ramp that one in first.', 'RESOURCE_OUT'),
  maintenanceNotRamped: invalid('Maintenance is not ramped: it has no close-out.'),
  resourceMissing: invalid('resource: name the aircraft or simulator first'),
  roomNotRamped: invalid('A room has no meters to ramp.'),
  readingBackwards: sentence('{field}: {in} is below the reading out, {out}'),
  nothingToCorrect: sentence('There is nothing to correct.'),
  noSuchFigure: sentence('{field}: this booking holds no such figure'),
  otherHalfMissing: sentence('{field}: send {missing} with it'),
  confirmForParties: forbidden('Only those on the booking can confirm it.'),
  confirmedAlready: invalid('You have confirmed this booking already.'),
})
