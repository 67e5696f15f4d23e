/** The descriptions of the document's tags, in the order of the reference. Each endpoint has one of them. */
export const tagDescriptions = {
  'Authentication and accounts': 'Sign up and in, tokens, passwords, and the address of an account.',
  Organizations: 'Flight schools and clubs: found, change and leave them; invitations and requests to join.',
  Members: 'The people of an organization, their roles, rates and grounding, and when they are there.',
  Groups: 'Named sets of members.',
  Locations: 'The airports and places that an organization flies from; the first one’s time zone is its own.',
  Resources: 'Aircraft, simulators and rooms, with files, fuel, grounding, and who is approved on them.',
  Maintenance: 'Squawks, and reminders of work that is due by date or meter.',
  Reservations: 'Bookings: make, move and cancel them, ask what stands in the way, find a free slot.',
  'Booking requests': 'Requests to the desk, where bookings need approval.',
  Calendar: 'A member’s bookings for calendar programs, behind a secret address.',
  'Close-out': 'From the ramp to the signed figures of a flight, and who pays for it.',
  'Flight log': 'What pilots log of a flight, and the logbooks that it adds up to: 14 CFR 61.51.',
  Rules: 'The rules that judge every booking, and how the organization enforces them.',
  Currencies: 'What members must be current in, such as a medical or a recent checkout, and where they stand.',
  Documents: 'Medicals, certificates and contracts of members and of the organization.',
  Invoices: 'Invoices of flights and of anything else, at the payment processor or settled by hand.',
  Packages: 'Credit and hours that are sold ahead: what a school sells, and what members bought.',
  Ledger: 'The accounts of members: deposits, charges and reversals.',
  'Pay runs': 'What the organization pays its instructors for the flights of a period.',
  Integrations: 'Connections to other services: the school’s payment account, and accounts for meetings.',
  Training: 'Courses and their syllabi, enrollments, graded lessons, credit and endorsements.',
  Offerings: 'What a school offers to the public, as its staff edits it.',
  'Public offerings': 'What a school offers to the public, as anybody sees and asks for it. No token.',
  'To do': 'What a member has to do, and the request that does it.',
  Notifications: 'What happened that concerns the caller, and how they are told.',
  Announcements: 'What the organization tells its members, by role or group and for a time.',
  Reports: 'Utilization, people, revenue and receivables, cancellations and maintenance, as JSON and CSV.',
  Exports: 'How a school takes its records out.',
  Imports: 'How a school brings its records in from spreadsheets.',
  Operations: 'Long pieces of work: how far they are, what became of each record, and their end before time.',
  Audit: 'Who did what, when, and what it changed.',
  Search: 'One search over what the caller may list.',
  Weather: 'METAR and TAF of an airport.',
  Webhooks: 'Addresses to which the events of an organization are sent.',
  Uploads: 'The bytes of files, sent and fetched with signed links.',
  Service: 'The service itself.',
} as const

/** The tag of an endpoint. */
export type Tag = keyof typeof tagDescriptions

/** The tags in the form of the document. */
export const documentTags = Object.entries(tagDescriptions).map(([name, description]) => ({ name, description }))
