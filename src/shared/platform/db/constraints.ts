import type { AppError } from '../kernel/errors.ts'
import { platformErrors } from '../platform.errors.ts'
import { isOutdatedPlan } from './auto-prepare.ts'

/**
 * The domain error of each constraint, for the case that two concurrent requests both pass the rules. `inTransaction`
 * first runs the use case again, which usually reads the row of the other transaction and reports the exact reason.
 * Implements docs/decisions/0004.
 */
const meanings: Record<string, () => AppError> = {
  account_email: () => platformErrors.addressRegistered(),
  membership_person: () => platformErrors.personIsMember(),
  membership_email: () => platformErrors.memberAddressTaken(),
  membership_external_id: () => platformErrors.externalIdTaken(),
  invitation_open: () => platformErrors.addressInvited(),
  member_group_name: () => platformErrors.groupNameTaken(),
  availability_overlap: () => platformErrors.availabilityOverlaps(),
  reservation_resource_clash: () => platformErrors.resourceBooked(),
  reservation_resource_out: () => platformErrors.resourceOut(),
  seat_person_clash: () => platformErrors.personBooked(),
  seat_guest_clash: () => platformErrors.guestBooked(),
  invoice_standing_share: () => platformErrors.payerInvoiced(),
  ledger_entry_reverses_id_key: () => platformErrors.entryReversed(),
  syllabus_version_label: () => platformErrors.versionLabelTaken(),
  syllabus_requirement_code: () => platformErrors.requirementCodeTaken(),
  enrollment_open: () => platformErrors.enrolledAlready(),
  invoice_enrollment_fee: () => platformErrors.feeInvoiced(),
  training_record_amends_id_key: () => platformErrors.recordAmended(),
  credit_entry_reverses_id_key: () => platformErrors.entryReversed(),
  endorsement_supersedes_id_key: () => platformErrors.endorsementReplaced(),
  training_grant_once: () => platformErrors.grantHeld(),
  desk_grant_once: () => platformErrors.grantHeld(),
}

interface DatabaseError {
  code?: string
  constraint?: string
  detail?: string
}

function databaseError(error: unknown): DatabaseError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (typeof (cause as DatabaseError).code === 'string') return cause as DatabaseError
  }
  return null
}

/**
 * SQLSTATEs of violated unique, foreign key and exclusion constraints, of a serialization failure and of a deadlock.
 */
const lostRace = new Set(['23505', '23503', '23P01', '40001', '40P01'])

/** Returns whether a retry of the use case can succeed, because another transaction or a migration committed first. */
export function isRetryableConflict(error: unknown): boolean {
  const cause = databaseError(error)
  return lostRace.has(cause?.code ?? '') || isOutdatedPlan(cause)
}

/**
 * Returns the domain error of a violated constraint, a serialization failure or a deadlock; any other error unchanged.
 */
export function toDomainError(error: unknown): unknown {
  const { constraint = '', code, detail = '' } = databaseError(error) ?? {}
  const meaning = meanings[constraint]
  if (meaning) return meaning()
  if (code === '23503' && detail.includes('is still referenced')) {
    return platformErrors.stillInUse()
  }
  if (code === '40001' || code === '40P01') return platformErrors.changedAtOnce()
  return error
}

/**
 * Removes the values of the row from the message of a database error. The ORM appends them below the first line, and
 * logs and queues store messages.
 */
export function redactValues(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes('\n')) return error
  const [said = ''] = error.message.split('\n')
  const stack = error.stack?.replace(error.message, () => said)
  error.message = said
  if (stack) error.stack = stack
  return error
}
