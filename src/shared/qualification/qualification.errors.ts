import { conflict, defineErrors, forbidden, invalid, tooMany } from '../platform/kernel/error-catalogue.ts'

/** The errors of documents, currencies and ratings. */
export const qualificationErrors = defineErrors('qualification', {
  unknownResource: invalid('resourceIds.{index}: there is no such resource'),
  kindFixed: invalid('kind: cannot be changed'),
  countOfFlights: invalid('count: is for recent flights'),
  daysOfFlights: invalid('days: is for recent flights'),
  countMissing: invalid('count: is required for recent flights'),
  daysMissing: invalid('days: is required for recent flights'),
  monthsOfExpiring: invalid('validCalendarMonths: is for expiring currencies'),
  privilegeOfMedical: invalid('privilege: is for medicals'),
  countedFromFlights: invalid('This currency is counted from flights; no dates can be recorded.'),
  recordFieldMissing: invalid('{field}: is required'),
  recordFieldOfMedical: invalid('{field}: is for medicals'),
  courseOfBasicMed: invalid('courseAt: is for BasicMed'),
  endOfRegulation: invalid('expiresAt: follows from the regulation'),
  dateInFuture: invalid('{field}: is in the future'),
  provenForOneself: invalid('documentId: your own medical or flight review needs a document that others verified'),
  computed: conflict('“{currency}” follows from flights, checks or endorsements. Nobody can end it.', 'COMPUTED'),
  alreadyEnded: conflict('The currency was ended on {date}.', 'CURRENCY_ENDED'),
  nothingToEnd: conflict('The member has no recorded dates of this currency.', 'NOTHING_TO_END'),
  notEnded: conflict('The currency is not ended.', 'CURRENCY_NOT_ENDED'),
  endOfOthers: forbidden('Only the member, admins and the member’s own instructors can end a currency.'),
  resumedByOthers: forbidden('Another admin must resume your own currency.'),
  endTooOld: invalid('on: is more than {days} days ago'),
  endBeforeRecord: invalid('{field}: is before the recorded date, {date}'),
  provenAfterEnd: invalid('documentId: an ended currency begins again with a document that somebody verified'),
  recordedByEnder: forbidden('You ended this currency. Somebody else must record the new dates.'),
  expiryMissing: invalid(
    'expiresAt: is required, because the currency has no period of its own; null: it never expires',
  ),
  expiresBeforeCompleted: invalid('expiresAt: must be after completedAt'),
  documentsOfOthers: forbidden('Only desk staff can add documents for others.'),
  tooManyDocuments: tooMany('The member has {held} documents. Please delete some of them first.'),
  documentVerified: conflict('The document is verified. Only desk staff can delete it now.', 'DOCUMENT_VERIFIED'),
  documentInUse: conflict(
    'An override of a booking names the document. It can be deleted when that booking is over.',
    'DOCUMENT_IN_USE',
  ),
  notYourDocument: forbidden('Only desk staff can change documents that they did not add themselves.'),
  unknownDocument: invalid('documentId: the member has no such document'),
  reviewForDesk: forbidden('Only desk staff can verify or reject documents, and not their own.'),
  uploadOpen: conflict('The file can still change until its upload ends. Please verify it after that.', 'UPLOAD_OPEN'),
  documentWithoutFile: conflict(
    'The file of the document is not uploaded yet. Please verify it after that.',
    'FILE_MISSING',
  ),
  unknownRating: invalid('{field}: there is no such rating'),
  approvedByModel: conflict('The member is approved by make and model: withdraw that approval.', 'APPROVED_BY_MODEL'),
  rolesOfOrganization: invalid('roles: are for documents of the organization'),
})

/** The errors of the fields of a currency. */
export const currencyErrors = [
  qualificationErrors.unknownResource,
  qualificationErrors.countOfFlights,
  qualificationErrors.daysOfFlights,
  qualificationErrors.countMissing,
  qualificationErrors.daysMissing,
  qualificationErrors.monthsOfExpiring,
  qualificationErrors.privilegeOfMedical,
]
