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
  countedFromFlights: invalid('This currency is counted from flights; nothing is recorded.'),
  recordFieldMissing: invalid('{field}: is required'),
  recordFieldOfMedical: invalid('{field}: is for medicals'),
  courseOfBasicMed: invalid('courseAt: is for BasicMed'),
  endOfRegulation: invalid('expiresAt: follows from the regulation'),
  dateInFuture: invalid('{field}: is in the future'),
  provenForOneself: invalid('documentId: your own medical or flight review needs a document that others verified'),
  expiryMissing: invalid('expiresAt: is required, since the currency has no period of its own; null never expires'),
  expiresBeforeCompleted: invalid('expiresAt: must be after completedAt'),
  documentsOfOthers: forbidden('Only desk staff add documents that are not their own.'),
  tooManyDocuments: tooMany('The member has {held} documents. Please delete some of them first.'),
  documentVerified: conflict('The document is verified. Only desk staff delete it now.', 'DOCUMENT_VERIFIED'),
  notYourDocument: forbidden('Only desk staff change documents that they did not add themselves.'),
  unknownDocument: invalid('documentId: the member has no such document'),
  reviewForDesk: forbidden('Only desk staff verify or reject documents, and nobody their own.'),
  uploadOpen: conflict('The file can still change until its upload is over. Please verify it then.', 'UPLOAD_OPEN'),
  documentWithoutFile: conflict(
    'The file of the document has not arrived. Please verify it when it is there.',
    'FILE_MISSING',
  ),
  unknownRating: invalid('{field}: there is no such rating'),
  approvedByModel: conflict('The approval is of the make and model: withdraw that one.', 'APPROVED_BY_MODEL'),
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
