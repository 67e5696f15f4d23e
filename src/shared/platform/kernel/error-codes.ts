import { identity } from './identity-codes.ts'
import { money } from './money-codes.ts'
import { offered, planning } from './offer-codes.ts'
import { type Codes, training } from './training-codes.ts'

const general = {
  IDEMPOTENCY_MISMATCH: {
    status: [409],
    meaning:
      'The `Idempotency-Key` was used for another request within 24 hours. Send a new key, or the same request again.',
  },
  ALREADY_EXISTS: {
    status: [409],
    meaning:
      'The same thing exists already: an address, a name, a membership, a label. Read it instead of creating it again.',
  },
  ALREADY_REVERSED: { status: [409], meaning: 'The entry is reversed already. There is nothing left to do.' },
  IS_REVERSAL: { status: [409], meaning: 'The entry is itself a reversal and cannot be reversed.' },
  METHOD_NOT_ALLOWED: {
    status: [405],
    meaning: 'The address has no such method. The header `Allow` lists those that it has.',
  },
  NOT_PENDING: {
    status: [409],
    meaning:
      'The record is not open for this: for example it is decided, confirmed, paid, void or resolved, or it waits for ' +
      'its guest or for an approval. Read it again.',
  },
  RESTORED_TWICE: {
    status: [409],
    meaning: 'The booking was restored twice before and cannot be restored again. Book it again.',
  },
  POOL_DIFFERS: {
    status: [409],
    meaning:
      'The resource is unlike another one of the pool; `details.differs` has the fields. Correct them, or choose another pool.',
  },
  RECOVERY_RUNNING: {
    status: [409],
    meaning: 'A recovery of the organization is being planned or applied. Wait until its operation has ended.',
  },
  CONSENT_NEEDED: {
    status: [409],
    meaning:
      'Each of these places needs the consent of a person. Ask them, and send `consent: given` with `reservationIds` and `how`.',
  },
  PLAN_OUTDATED: {
    status: [409],
    meaning: 'The plan of the recovery is older than 24 hours. Plan again with the same `cause`.',
  },
  WEBHOOK_OFF: { status: [409], meaning: 'The webhook is turned off. Turn it on first (`active: true`).' },
  TOO_MANY_WEBHOOKS: { status: [409], meaning: 'There are as many webhooks as allowed. Delete one first.' },
  ...planning,
  TOO_MANY_VIEWS: { status: [409], meaning: 'The member has as many saved views as allowed. Delete one first.' },
} as const satisfies Codes

const bookingRules = {
  ...offered,
  TYPE_NOT_ALLOWED: {
    status: [400],
    meaning: 'The roles of the caller do not allow a booking of this type. Choose another type.',
  },
  SIDE_LIMIT: {
    status: [400],
    meaning: 'There are too many or too few people on one side of the booking; `field` names the side.',
  },
  RESOURCE_CLASH: {
    status: [400],
    meaning: 'The resource is booked at this time. Choose another time or resource.',
  },
  PERSON_CLASH: {
    status: [400],
    meaning: 'Somebody on the booking is booked at this time. Choose another time or person.',
  },
  NOT_AVAILABLE: {
    status: [400],
    meaning: 'Somebody on the booking is away, or not available at this time of the week.',
  },
  OUTSIDE_HOURS: {
    status: [400],
    meaning: 'The booking lies outside the hours of the resource or of the organization.',
  },
  CLOSED: { status: [400], meaning: 'What the booking needs is closed at this time; the message says why.' },
  RESOURCE_GROUNDED: {
    status: [400],
    meaning: 'The resource is grounded. Only a maintenance booking can be made on it.',
  },
  PERSON_GROUNDED: { status: [400], meaning: 'Somebody on the booking is grounded by the organization.' },
  NOT_APPROVED: {
    status: [400],
    meaning: 'Whoever would be pilot in command is not approved on the aircraft. Choose another, or ask for approval.',
  },
  NOT_CURRENT: {
    status: [400],
    meaning: 'Somebody on the booking lacks a currency that the organization requires; the message names it.',
  },
  BOOKING_LIMIT: {
    status: [400],
    meaning:
      'The booking exceeds a limit of the caller’s roles: days ahead, notice, length, open bookings or hours a week. Ask the desk.',
  },
  ENDORSEMENT_MISSING: {
    status: [400],
    meaning: 'The student lacks an endorsement for the solo flight; the message names it. An instructor signs it.',
  },
  RATING_MISSING: {
    status: [400],
    meaning:
      'The pilot in command or the instructor has no certificate, rating, endorsement or experience for the aircraft ' +
      'on record; the message names it. `details.known` is `false` when it may exist and is not recorded.',
  },
  INSPECTION_DUE: {
    status: [400],
    meaning:
      'A maintenance item of the resource is due before the end of the booking. Choose another resource, or have the work done first.',
  },
  DUTY_LIMIT: {
    status: [400],
    meaning:
      'An instructor would give more flight training in 24 hours than allowed. Choose another time or instructor.',
  },
  CARD_DECLINED: {
    status: [400],
    meaning:
      'The card of somebody who pays was declined for an invoice that is still open. Have that invoice paid on its ' +
      'payment page, or with another card.',
  },
  BALANCE_TOO_LOW: {
    status: [400, 409],
    meaning:
      'The account of somebody who pays would fall below the minimum balance. For a booking, `fix.missingCents` says ' +
      'how much to pay in.',
  },
  DOCUMENT_UNVERIFIED: {
    status: [400],
    meaning: 'Only a warning: a required document is there, but nobody has verified it yet. Have desk staff verify it.',
  },
  CITIZENSHIP_UNVERIFIED: {
    status: [400],
    meaning: 'The citizenship of a student is not verified (49 CFR 1552.7(a)).',
  },
  BELOW_MINIMUMS: {
    status: [400],
    meaning: 'The weather is outside the limits of the person who would fly; the message names the limits.',
  },
  DOCUMENT_MISSING: { status: [400], meaning: 'Somebody on the booking lacks a document; the message names it.' },
  NOT_ELIGIBLE: {
    status: [400],
    meaning: 'Somebody on the booking cannot be booked, for a reason that the caller may not know. Ask the desk.',
  },
} as const satisfies Codes

const closeOut = {
  NOT_RELEASED: {
    status: [409],
    meaning:
      'The booking may not leave: `details.checks` lists all checks. Resolve those that block, acknowledge the squawks, or ' +
      'have checks that are `overridable` overridden.',
  },
  LOG_CLOSED: {
    status: [409],
    meaning:
      'The flight is invoiced and was back more than 7 days ago, so its log is closed. An admin can correct it, with a `reason`.',
  },
  RESERVATION_RAMPED_OUT: {
    status: [409],
    meaning: 'The aircraft has left the ramp, so the booking can no longer be moved or cancelled.',
  },
  RESOURCE_OUT: {
    status: [400, 409],
    meaning: 'The resource is out on another booking, `details.reservationId`. Ramp that one in first.',
  },
  METER_ANOMALY: {
    status: [409],
    meaning:
      'A reading looks like a typo, or a briefing is longer than the booked time plus an hour; `details.anomalies` lists ' +
      'them. Ask the user, then repeat with `confirmMeterAnomaly`.',
  },
  NOT_REVERSIBLE: {
    status: [409],
    meaning:
      'The completion of maintenance cannot be undone: it is not the latest one of its reminder, it was done together with ' +
      'another one, or an earlier version recorded it. The message says which.',
  },
  MAINTENANCE_TRIGGER: {
    status: [409],
    meaning:
      'The reading passes maintenance items, listed in `details.reminders`, and grounds the aircraft. Ask the user, then ' +
      'repeat with `confirmMaintenanceTrigger`.',
  },
} as const satisfies Codes

const documents = {
  APPROVED_BY_MODEL: {
    status: [409],
    meaning:
      'The member is approved on every aircraft of the make and model: withdraw that approval (`DELETE /approvals/{id}`).',
  },
  DOCUMENT_IN_USE: {
    status: [409],
    meaning: 'An override of a booking that is not over names the document. Delete it after the booking.',
  },
  COMPUTED: {
    status: [409],
    meaning:
      'The currency follows from flights, checks or endorsements, so nobody ends or resumes it. Ground the member ' +
      'instead (`PATCH /orgUsers/{id}`).',
  },
  CURRENCY_ENDED: {
    status: [409],
    meaning: 'The currency is ended already. To name another day or reason, an admin resumes it first.',
  },
  NOTHING_TO_END: { status: [409], meaning: 'The member has no recorded dates of the currency to end.' },
  CURRENCY_NOT_ENDED: { status: [409], meaning: 'The currency is not ended, so there is nothing to resume.' },
  DOCUMENT_VERIFIED: {
    status: [409],
    meaning:
      'Desk staff verified the document, so its member cannot delete it. Ask them, or upload a newer file instead.',
  },
  FILE_MISSING: {
    status: [409],
    meaning:
      'The file of the document is not uploaded, so there is nothing to verify. Verify it when `url` is not null.',
  },
  UPLOAD_OPEN: {
    status: [409],
    meaning:
      'The file of the document can still change until its upload ends. Verify it 45 minutes after the upload was ' +
      'requested.',
  },
} as const satisfies Codes

/** Every code that an error can carry, by the subject under which `docs/errors.md` lists it. */
export const errorCodesBySubject = {
  General: general,
  'Accounts, members and organizations': identity,
  'Rules of booking': bookingRules,
  'Close-out': closeOut,
  Money: money,
  Documents: documents,
  Training: training,
} satisfies Record<string, Codes>

/** Every code with its meaning. */
export const errorCodes = Object.assign({}, ...Object.values(errorCodesBySubject)) as Catalogue

type Catalogue = typeof general &
  typeof identity &
  typeof bookingRules &
  typeof closeOut &
  typeof money &
  typeof documents &
  typeof training

/** A code that an error can carry. */
export type ErrorCode = keyof Catalogue

/** The codes that an error with this status can carry. */
export type CodeOf<Status extends number> = {
  [Code in ErrorCode]: Status extends Catalogue[Code]['status'][number] ? Code : never
}[ErrorCode]

/** The codes of the booking rules. When rules refuse a booking, the code of the first problem is the code of the error. */
export type BookingRuleCode = keyof typeof bookingRules
