/** The descriptions of the document's tags, in the order of the reference. Each endpoint has one of them. */
export const tagDescriptions = {
  'Authentication and accounts': 'Sign-up, sign-in, tokens, passwords, and the address of an account.',
  Organizations: 'Flight schools and clubs: create, change and leave them; invitations and join requests.',
  Members: 'The people of an organization: roles, rates, grounding and availability.',
  Groups: 'Named sets of members.',
  Locations: 'The airports and places of an organization. The time zone of the first one is that of the organization.',
  Resources: 'Aircraft, simulators and rooms, with files, fuel, grounding and approvals of members.',
  Maintenance: 'Squawks, and reminders of maintenance that is due by date, meter, landings or use.',
  Reservations: 'Bookings: create, move and cancel them, check them against the rules, find free times.',
  'Booking requests': 'Requests to desk staff for bookings that need approval.',
  'Waiting list': 'Who waits for which place, and the offers of places that become free.',
  Calendar: 'A member’s bookings for calendar programs, at a secret address.',
  'Close-out': 'Ramp-out and ramp-in, the review of a flight’s figures, and who pays for it.',
  'Flight log': 'What pilots log of each flight, and their logbooks (14 CFR 61.51).',
  Rules: 'The rules that check every booking, and how the organization enforces them.',
  Currencies: 'What members must be current in, such as a medical or a recent checkout, and their status.',
  Documents: 'Medicals, certificates and contracts of members and of the organization.',
  Invoices: 'Invoices for flights and other items, paid through the payment processor or by hand.',
  Packages: 'Credit and hours that are sold in advance, and the purchases of members.',
  Ledger: 'The ledger accounts of members: deposits, charges and reversals.',
  'Pay runs': 'What the organization pays its instructors for the flights of a period.',
  Integrations: 'Connections to other services: the school’s payment account, and accounts for meetings.',
  Training: 'Courses and their syllabi, enrollments, graded lessons, credit and endorsements.',
  Offerings: 'Flights that a school offers to the public, for its staff.',
  'Public offerings': 'Flights that a school offers to the public, for anyone to see and request without a token.',
  'To do': 'The tasks of a member, and the request that completes each.',
  Notifications: 'Messages about events that concern the caller, and how they are delivered.',
  Announcements: 'Messages of the organization to its members, by role or group and for a period.',
  Reports:
    'Reports on utilization, people, revenue and receivables, cancellations and maintenance, as JSON and CSV. ' +
    'Columns that end in `Cents` are null for readers who may not see money. CSV has the fields of the rows as ' +
    'columns, and a byte order mark for Excel; texts that a spreadsheet would read as formulas start with an ' +
    'apostrophe. A window has at most 400 days. At most 30 reports and 60 charts an hour for an account, and two ' +
    'reports at once for an organization.',
  Exports: 'Exports of the records of an organization or of one person.',
  Imports: 'Imports of records from spreadsheets.',
  Operations: 'Long-running work: its progress, the outcome for each record, and cancellation.',
  Audit: 'The audit log: who did what, when, and what it changed.',
  Search: 'One search over the records that the caller may list.',
  Weather: 'METAR and TAF of an airport.',
  Webhooks:
    'Addresses that receive the events of an organization. The guide to webhooks says how to verify and answer an event. ' +
    'Contact details, notes, reasons and links of the record in it are null.',
  Uploads: 'Upload and download of files through signed links.',
  Service: 'The state of the service.',
} as const

/** The tag of an endpoint. */
export type Tag = keyof typeof tagDescriptions

/** The tags as the document lists them. */
export const documentTags = Object.entries(tagDescriptions).map(([name, description]) => ({ name, description }))
