import { defineErrors, notFound, sentence, tooMany } from '../platform/kernel/error-catalogue.ts'

/** What imports are refused with; the sentences stand in the result of an import or beside a row. */
export const portabilityErrors = defineErrors('portability', {
  importsWaiting: tooMany('{most} imports wait already. Please try again when some are done.'),
  noSuchTemplate: notFound('There is no such kind of import. There are: {kinds}.'),

  notUtf8: sentence(
    'The file is not UTF-8. Save it as “CSV UTF-8”, or send it again with encoding windows-1252 if it comes from an older spreadsheet.',
  ),
  fileTooLarge: sentence('The file has more than {mebibytes} MiB.'),
  tooManyRows: sentence('The file has more than {most} rows. Split it and send the parts one after another.'),
  rowTooLarge: sentence(
    'The row that begins on line {line} is too large. Most often a quotation mark was opened there and never closed.',
  ),
  quoteNotClosed: sentence('The quotation mark that is opened in the row of line {line} is never closed.'),
  noHeader: sentence('The file is empty: its first line must name the columns.'),
  tooManyColumns: sentence('The file has more than {most} columns.'),
  columnsMissing: sentence('These columns are missing: {columns}. The first line must name them.'),
  columnTwice: sentence('The column {column} is there twice.'),
  notJson: sentence('The text is not a JSON array of objects.'),
  datesUnclear: sentence(
    'The dates can be read in two ways: “{example}” is {monthFirst} with the month first and {dayFirst} with the day first. Send the file again with dateFormat mdy or dmy.',
  ),
  datesMixed: sentence(
    'Some dates have the month first and others the day first. Write them all as 2026-03-14, or send the file again with dateFormat mdy or dmy.',
  ),

  required: sentence('is missing'),
  cellTooLong: sentence('has more than {kibibytes} KiB'),
  cellControls: sentence('must be text: it holds control characters, or an object'),
  moreCells: sentence('The row has more cells than the file has columns.'),
  oneLine: sentence('must be one line'),
  tooLong: sentence('has more than {most} characters'),
  notOneOf: sentence('must be one of {choices}'),
  notYesNo: sentence('must be yes or no'),
  notCents: sentence('must be whole cents, such as 18500 for 185.00'),
  notWhole: sentence('must be a whole number from {least} to {most}'),
  notReading: sentence('must be hours with at most two decimals, such as 1234.5'),
  notDate: sentence('must be a date that exists, such as 2026-03-14'),
  notZone: sentence('must be a time zone such as America/New_York'),
  notCountry: sentence('must be a two-letter country code such as US'),
  notAirport: sentence('must be an airport code such as KHWD'),

  sameRow: sentence('is the same as in row {row}; each record stands once in a file'),
  pointsAtTwo: sentence('fits two different records'),
  unknownLocation: sentence('is no location of the school; import locations first'),
  locationNeeded: sentence('is missing, and the school does not have exactly one location'),
  notEmail: sentence('must be an email address'),
  ownerNotImported: sentence('an import makes nobody an owner'),
  adminsByOwners: sentence('only an owner brings in admins'),
  rolesOfLeaders: sentence('only an owner changes the roles of an owner or admin'),
  isTheirs: sentence('is the member’s own, who has an account; it stays as it is'),
  kindStays: sentence('cannot change: it is a {kind}'),
  meterStays: sentence('is lower than the reading that is stored, which stays'),
})
