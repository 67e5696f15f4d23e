import { bookingRules } from './booking-codes.ts'
import { identity } from './identity-codes.ts'
import { money } from './money-codes.ts'
import { planning } from './offer-codes.ts'
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
    meaning: 'An override of a booking that is not over names the document. Replace or delete it after the booking.',
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
