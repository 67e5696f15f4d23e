import { type AppError, Conflict, Invalid } from '../kernel/errors.ts'

/**
 * The domain error of each constraint, for the case that two requests race past the rules. `inTransaction` first runs
 * the use case again, which usually reads the other transaction's row and reports the exact reason.
 */
const meanings: Record<string, () => AppError> = {
  account_email: () => new Invalid('email: this address is already registered', 'ALREADY_EXISTS'),
  membership_person: () => new Invalid('This person is a member already.', 'ALREADY_EXISTS'),
  invitation_open: () => new Invalid('email: this address is already invited', 'ALREADY_EXISTS'),
  member_group_name: () => new Invalid('name: another group has this name', 'ALREADY_EXISTS'),
  availability_overlap: () => new Invalid('availability: items of one day must not overlap'),
  reservation_resource_clash: () => new Invalid('The resource is already booked at this time.', 'RESOURCE_CLASH'),
  reservation_resource_out: () => new Invalid('The resource is out on another booking.', 'RESOURCE_OUT'),
  seat_person_clash: () => new Invalid('Somebody on the booking is already booked at this time.', 'PERSON_CLASH'),
  seat_guest_clash: () => new Invalid('The guest is already booked at this time.', 'PERSON_CLASH'),
  invoice_standing: () => new Invalid('This payer is already invoiced for the booking.', 'ALREADY_EXISTS'),
  ledger_entry_reverses_id_key: () => new Conflict('This entry is already reversed.', 'ALREADY_EXISTS'),
  syllabus_version_label: () => new Conflict('The course has a version of this label already.', 'ALREADY_EXISTS'),
  syllabus_requirement_code: () => new Conflict('The code is in use in this version.', 'ALREADY_EXISTS'),
  enrollment_open: () => new Conflict('The student is enrolled on the course already.', 'ALREADY_EXISTS'),
  invoice_enrollment_fee: () => new Conflict('The enrollment fee is invoiced already.', 'ALREADY_EXISTS'),
  training_record_amends_id_key: () => new Conflict('The record was amended already.', 'ALREADY_AMENDED'),
  credit_entry_reverses_id_key: () => new Conflict('This entry is already reversed.', 'ALREADY_REVERSED'),
  endorsement_supersedes_id_key: () => new Conflict('The endorsement is replaced already.', 'ALREADY_REPLACED'),
  training_grant_once: () => new Conflict('The member holds this grant already.', 'ALREADY_EXISTS'),
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

/** unique, foreign key, exclusion; serialization failure, deadlock */
const lostRace = new Set(['23505', '23503', '23P01', '40001', '40P01'])

/** Returns whether a retry of the use case can succeed, because another transaction was faster. */
export function isRetryableConflict(error: unknown): boolean {
  return lostRace.has(databaseError(error)?.code ?? '')
}

/** Returns the domain error of a violated constraint, or the error itself when there is none. */
export function toDomainError(error: unknown): unknown {
  const { constraint = '', code, detail = '' } = databaseError(error) ?? {}
  const meaning = meanings[constraint]
  if (meaning) return meaning()
  if (code === '23503' && detail.includes('is still referenced')) {
    return new Invalid('This is still used by another record.')
  }
  if (code === '40001' || code === '40P01')
    return new Conflict('Somebody changed this at the same time. Please try again.')
  return error
}

/**
 * Removes the row from a database error: the ORM appends it below the first line of the message, and logs and queues
 * store messages.
 */
export function redactValues(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes('\n')) return error
  const [said = ''] = error.message.split('\n')
  const stack = error.stack?.replace(error.message, () => said)
  error.message = said
  if (stack) error.stack = stack
  return error
}
