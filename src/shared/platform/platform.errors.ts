import {
  conflict,
  defineErrors,
  forbidden,
  invalid,
  notFound,
  sentence,
  tooLarge,
  tooMany,
  unauthenticated,
  unavailable,
  wrongType,
} from './kernel/error-catalogue.ts'
import { Invalid, type Sentence } from './kernel/errors.ts'

/** The errors that all contexts share, and the errors of violated database constraints. */
export const platformErrors = defineErrors('platform', {
  signIn: unauthenticated('Please sign in.'),
  notAllowed: forbidden('You are not allowed to do this.'),
  noSuchRecord: notFound('There is no such record.'),
  operationKilledWorkers: sentence(
    'The process that worked on this ended twice at the same step. Finished work stays as it is; the rest was not tried again.',
  ),
  operationGivenUp: sentence('This could not be finished. Finished work stays as it is.'),
  tooManyRequests: tooMany('Too many requests. Please wait and try again.'),
  busy: unavailable('The service is busy. Please try again in a moment.'),
  datesReversed: invalid('endDate: must be after startDate'),
  problems: sentence('{problems}'),
  severalFiles: invalid('file: must be the only file of the form'),
  fileMissing: invalid('file: is required'),
  formUnreadable: invalid('The form could not be read.'),
  notMultipart: wrongType('Please send the file as multipart/form-data.'),
  fileTooLarge: tooLarge('The file is larger than 25 MiB.'),
  storageFull: unavailable('There is no room for files right now. Please try again later.'),
  fileOfOtherType: invalid('file: this is not {contentType}'),
  fileLargerThanArranged: tooLarge('file: is larger than {maxBytes} bytes'),
  uploadNotArranged: forbidden('This upload form was not issued by this service.'),
  uploadExpired: forbidden('This upload has expired. Please ask for a new one.'),
  formChanged: forbidden('The form differs from the upload that was requested.'),
  linkExpired: forbidden('This link has expired. Please ask for the file again.'),
  emailNotVerified: forbidden(
    'Please confirm your email address first: open the link that we mailed you. POST /auth/verify-email/resend mails it again.',
    'EMAIL_NOT_VERIFIED',
  ),
  flyingDayReversed: invalid('settings.flyingDayEndMinute: must be after flyingDayStartMinute'),
  currencyUnknown: invalid('settings.currency: must be an ISO 4217 currency with two decimals'),
  addressRegistered: invalid('email: this address is already registered', 'ALREADY_REGISTERED'),
  personIsMember: conflict('This person is a member already.', 'ALREADY_EXISTS'),
  memberAddressTaken: conflict('email: another member has this address', 'ALREADY_EXISTS'),
  externalIdTaken: conflict('externalId: another member has it', 'ALREADY_EXISTS'),
  addressInvited: invalid('email: this address is already invited', 'ALREADY_INVITED'),
  groupNameTaken: conflict('name: another group has this name', 'ALREADY_EXISTS'),
  availabilityOverlaps: invalid('availability: items of one day must not overlap'),
  resourceBooked: invalid('The resource is already booked at this time.', 'RESOURCE_CLASH'),
  resourceOut: invalid('The resource is out on another booking.', 'RESOURCE_OUT'),
  personBooked: invalid('Somebody on the booking is already booked at this time.', 'PERSON_CLASH'),
  guestBooked: invalid('The guest is already booked at this time.', 'PERSON_CLASH'),
  payerInvoiced: invalid('This payer is already invoiced for the booking.', 'ALREADY_INVOICED'),
  entryReversed: conflict('This entry is already reversed.', 'ALREADY_REVERSED'),
  versionLabelTaken: conflict('The course has a version of this label already.', 'ALREADY_EXISTS'),
  requirementCodeTaken: conflict('The code is in use in this version.', 'ALREADY_EXISTS'),
  enrolledAlready: conflict('The student is enrolled on the course already.', 'ALREADY_EXISTS'),
  feeInvoiced: conflict('The enrollment fee is invoiced already.', 'ALREADY_EXISTS'),
  recordAmended: conflict('The record was amended already.', 'ALREADY_AMENDED'),
  endorsementReplaced: conflict('The endorsement is replaced already.', 'ALREADY_REPLACED'),
  grantHeld: conflict('The member holds this grant already.', 'ALREADY_EXISTS'),
  stillInUse: invalid('This is still used by another record.'),
  changedAtOnce: conflict('Somebody changed this at the same time. Please try again.'),
  fileTypeNotAccepted: invalid('{field}: must be a jpg, jpeg, png, heic, heif or pdf file'),
  demoFilesFull: forbidden('A demo organization keeps at most {limit} files. Please delete some of them first.'),
  tooManyOperations: tooMany(
    'At most {limit} operations can wait or run at a time. Please try again when some have ended.',
  ),
  pdfsUnderWay: tooMany('Other documents are being made. Please try again in a moment.'),
  notCancellable: conflict('The operation has ended, or it is all-or-nothing and has started.', 'NOT_CANCELLABLE'),
  tooManyUploads: tooMany('At most {limit} requested uploads can be open. Please send those files first, or wait.'),
  uploadUsed: forbidden('This upload was used already, or has ended. Please ask for a new one.'),
})

/** Returns the messages of several problems as one sentence. */
export function joined(problems: readonly { message: Sentence }[]): Sentence {
  return platformErrors.problems({ problems: problems.map(({ message }) => message).join('; ') })
}

/** Returns the 400 error for several problems, with the list in `details.problems`. */
export function invalidFields(problems: readonly { field: string; message: Sentence }[]): Invalid {
  return new Invalid(joined(problems), undefined, { problems })
}
